/**
 * Writes the views of projects as Parquet files, one for each hour or day that has rows, and only those that are new or
 * were changed since the last time. A file replaces its predecessor as a whole, so whoever reads all files finds a row once.
 *
 * Nothing is lost with a process that is killed: marks are read before the rows, so a file has at least what its mark
 * says; and a file that the manifest doesn't tell of yet is written again.
 */

import { READ_SETTINGS } from '../../domain/calls/read/settings.js'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import { each } from '../../platform/batch/pool.js'
import { collect } from '../../platform/bytes/collect.js'
import { bind, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { EXPORTED, type StoredView } from '../sql/views.js'
import { withClaim } from './claim.js'
import {
  type File,
  fileOf,
  folderOf,
  MANIFEST,
  type Manifest,
  type Mark,
  MICROS_OF,
  manifestOf,
  planOf,
  type Unit,
} from './layout.js'
import type { ParquetOf } from './parquet.js'

/** Files that are under way at once: while one is copied, the engine makes the next. */
const AT_ONCE = 2

/** Between manifests: what is written after one is written again by the next export, if this one is killed. */
const MANIFEST_MS = 10_000

export interface Exported {
  projects: number
  /** written now */
  files: number
  /** in them */
  rows: number
  removed: number
  /** projects whose files are not up to date, and why */
  failed: { project: string; error: unknown }[]
}

export interface ExportOptions {
  signal: AbortSignal
  /** default: all */
  project?: string
  /** called once, if another export is writing to the destination */
  waiting?: () => void
  onProgress?: (rows: number) => void
}

export class FileExport {
  constructor(
    private readonly store: Store,
    private readonly to: Artifacts,
    private readonly unit: Unit,
    private readonly parquetOf: ParquetOf,
  ) {}

  /**
   * One round over the projects.
   * @throws HeddleError if the store or the destination is away
   */
  run({ signal, project, waiting = () => undefined, onProgress }: ExportOptions): Promise<Exported> {
    return withClaim(this.to, { signal, waiting }, async (check) => {
      const done: Exported = { projects: 0, files: 0, rows: 0, removed: 0, failed: [] }
      for (const name of await this.projects(project)) {
        try {
          for (const view of EXPORTED)
            await this.view(view, name, done, signal, () => {
              check()
              onProgress?.(done.rows)
            })
        } catch (error) {
          check()
          done.failed.push({ project: name, error })
        }
        done.projects++
      }
      return done
    })
  }

  private async projects(only: string | undefined): Promise<string[]> {
    const which = only === undefined ? sql`` : sql`WHERE name = ${bind.string(only)}`
    const rows = await this.store.rows<{ name: string }>(
      sql`SELECT DISTINCT name FROM projects ${which} ORDER BY name`,
    )
    return rows.map(({ name }) => name)
  }

  private async view(
    view: StoredView,
    project: string,
    done: Exported,
    signal: AbortSignal,
    check: () => void,
  ): Promise<void> {
    const folder = folderOf(view.name, project)
    const there = await this.namesIn(folder)
    const wanted = (await marksOf(this.store, view, project, this.unit, signal)).map((mark) =>
      fileOf(mark, this.unit),
    )
    const known = manifestOf(await this.text(`${folder}/${MANIFEST}`))
    const shape = JSON.stringify(shapeOf(view))
    const isSame = known?.unit === this.unit && JSON.stringify(known.columns) === shape
    const { write, keep, remove } = planOf(wanted, isSame ? known.files : [], there)
    if (write.length === 0 && remove.length === 0) return
    for (const name of remove) {
      check()
      await this.to.delete(`${folder}/${name}`)
      done.removed++
    }
    const files = new Map(keep.map((file) => [file.name, file]))
    const note = () => this.note(folder, view, project, files)
    let notedAt = performance.now()
    // One that is under way is finished, whatever happens to the other.
    await each(write, AT_ONCE, signal, async (file) => {
      check()
      await this.write(`${folder}/${file.name}`, view, project, file, signal)
      files.set(file.name, file)
      done.files++
      done.rows += file.rows
      if (performance.now() - notedAt > MANIFEST_MS) {
        notedAt = performance.now()
        check()
        await note()
      }
    })
    check()
    await note()
  }

  private write(
    key: string,
    view: StoredView,
    project: string,
    { from, to }: File,
    signal: AbortSignal,
  ): Promise<void> {
    const at = (iso: string) => instant(Date.parse(iso) * 1000)
    const rows = view.select(project, {}, [sql`${view.time} >= ${at(from)}`, sql`${view.time} < ${at(to)}`])
    // Without it, nobody could tell the rows of several projects apart.
    const statement = sql`SELECT ${bind.string(project)} AS project, * FROM (${rows})`
    return this.parquetOf(statement, (content) => this.to.write(key, content), signal)
  }

  private async note(
    folder: string,
    view: StoredView,
    project: string,
    files: ReadonlyMap<string, File>,
  ): Promise<void> {
    const value: Manifest = {
      ...{ format: 1, view: view.name, project, unit: this.unit, columns: shapeOf(view) },
      files: [...files.values()].sort((a, b) => (a.from < b.from ? -1 : 1)),
    }
    await this.to.put(`${folder}/${MANIFEST}`, Buffer.from(`${JSON.stringify(value, null, 1)}\n`))
  }

  private async namesIn(folder: string): Promise<Set<string>> {
    const names = new Set<string>()
    for await (const key of this.to.keys(folder)) names.add(key.slice(folder.length + 1))
    names.delete(MANIFEST)
    return names
  }

  private async text(key: string): Promise<string | undefined> {
    const content = await this.to.get(key)
    return content && (await collect(content)).toString()
  }
}

/** The columns of a view's files. */
function shapeOf({ columns }: StoredView): Manifest['columns'] {
  const project = { name: 'project', type: 'String', doc: 'entity/project' }
  return [project, ...columns.map(({ name, type, doc }) => ({ name, type, doc }))]
}

/** The rows of a view of a project, by hour or day, in order. */
function marksOf(
  store: Store,
  view: StoredView,
  project: string,
  unit: Unit,
  signal?: AbortSignal,
): Promise<Mark[]> {
  const micros = sql`toUnixTimestamp64Micro(${view.time})`
  const from = sql`${micros} - positiveModulo(${micros}, ${bind.int(MICROS_OF[unit])})`
  const rows: Sql = view.rows(project, sql`${from} AS since, cityHash64(${view.state}) AS state`, [])
  return store
    .rows<{ since: string; rows: string; mark: string }>(
      sql`SELECT toString(since) AS since, toString(count()) AS rows, hex(sum(state)) AS mark
        FROM (${rows}) GROUP BY since ORDER BY toInt64(since)`,
      // Nobody asks often enough for it to be compiled to machine code.
      { settings: { ...READ_SETTINGS, compile_aggregate_expressions: 0 }, ...(signal && { signal }) },
    )
    .then((all) => all.map((one) => ({ from: Number(one.since), rows: Number(one.rows), mark: one.mark })))
}
