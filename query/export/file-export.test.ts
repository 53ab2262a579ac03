/**
 * Exported files against an oracle, in the real engine: whatever happens between exports and wherever one breaks off, the
 * next that ends leaves each row of the views in one file, as the view has it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteCalls } from '../../domain/calls/delete.js'
import { READ_SETTINGS } from '../../domain/calls/read/settings.js'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import { FolderArtifacts } from '../../platform/artifacts/folder.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { openParquet, type ParquetRow } from '../../platform/files/parquet-rows.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { microsOf } from '../../platform/time/micros.js'
import { rounds } from '../../test/support/rounds.js'
import { EXPORTED, type StoredView } from '../sql/views.js'
import { writeCalls } from '../testing/calls.js'
import { FileExport } from './file-export.js'
import { folderOf, MANIFEST, manifestOf, type Unit } from './layout.js'
import { filedParquet, streamedParquet } from './parquet.js'

let engine: TestEngine
let store: Store
const scratch = mkdtempSync(join(tmpdir(), 'heddle-exported-'))
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('exported')
})
afterAll(async () => {
  await engine?.stop()
  rmSync(scratch, { recursive: true, force: true })
})

let projects = 0
async function aProject(): Promise<string> {
  const name = `acme/exported ${projects++}`
  await store.insertRows('projects', [{ project_id: projectIdOf(name), name }])
  return name
}

/** By both ways to get the bytes. */
const exportTo = (to: Artifacts, unit: Unit) =>
  new FileExport(
    store,
    to,
    unit,
    unit === 'hour' ? filedParquet(store, join(scratch, 'exporting')) : streamedParquet(store),
  )

const hours = (hour: number) => isoOfMicros(Date.UTC(2026, 0, 1, hour, 30) * 1000)

/** Something that happens to call or feedback `i`. */
const change = fc.record({
  what: fc.constantFrom('write', 'begin', 'evaluate', 'rename', 'delete', 'say', 'purge'),
  i: fc.integer({ min: 0, max: 5 }),
  hour: fc.integer({ min: 20, max: 27 }),
})
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

const WRITES = Array.from({ length: 10 }, (_, i): Change => ({ what: 'write', i, hour: 20 + (i % 3) }))

let ver = 10
async function happen(project: string, { what, i, hour }: Change): Promise<void> {
  const id = `call-${i}`
  const here = sql`project_id = ${bind.string(projectIdOf(project))}`
  ver++
  if (what === 'rename') {
    const name = bind.string(`name ${ver}`)
    await store.run(sql`UPDATE calls SET display_name = ${name} WHERE ${here} AND id = ${bind.string(id)}`)
  } else if (what === 'say' || what === 'purge') {
    const row = {
      id: `feedback-${i}`,
      payload: `{"n":${ver}}`,
      feedback_type: 'x',
      created_at: Date.UTC(2026, 0, 1, hour) * 1000,
    }
    const deleted = what === 'purge' ? 1 : 0
    // Feedback is replaced by its key, which its time is not part of.
    await store.insertRows('feedback', [{ project_id: projectIdOf(project), ...row, ver, deleted }])
  } else {
    await deleteCalls(store, projectIdOf(project), [id])
    if (what === 'delete') return
    const call = { id, started_at: hours(hour), inputs: `{"n":${ver}}`, ver }
    const run = { op_name: 'weave:///acme/one/op/Evaluation.evaluate:v1', output: '{"exact":{"mean":0.5}}' }
    await writeCalls(store, project, [
      what === 'begin'
        ? { ...call, half: 'start' }
        : { ...call, ended_at: hours(hour + 1), ...(what === 'evaluate' && run) },
    ])
  }
}

/** A destination that is gone for ever after so many changes, before or after the last of them. */
class Dying implements Artifacts {
  constructor(
    private readonly to: Artifacts,
    private left: number,
    private readonly isAfter: boolean,
  ) {}

  private async change(key: string, work: () => Promise<void>): Promise<void> {
    // Other tests are about claims.
    if (key.startsWith('_')) return work()
    if (this.left > 0 || (this.left === 0 && this.isAfter)) await work()
    if (this.left-- <= 0) throw new Error('killed')
  }
  put = (key: string, content: Uint8Array) => this.change(key, () => this.to.put(key, content))
  write = (key: string, content: AsyncIterable<Uint8Array>) =>
    this.change(key, () => this.to.write(key, content))
  delete = (key: string) => this.change(key, () => this.to.delete(key))
  keys = (prefix: string) => this.to.keys(prefix)
  get: Artifacts['get'] = (key, range) => this.to.get(key, range)
}

const sorted = (rows: ParquetRow[]) => rows.map((row) => JSON.stringify(row, textOfBig)).sort()
const textOfBig = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)

const isoOf = (time: string) => isoOfMicros(microsOf(`${time.replace(' ', 'T')}Z`))

/** The rows of a view as it has them, in the form of {@link openParquet}. */
async function rowsOf(view: StoredView, project: string): Promise<string[]> {
  const times = new Set(view.columns.flatMap(({ name, type }) => (type.includes('DateTime64') ? [name] : [])))
  const rows = await store.rows<Record<string, unknown>>(view.select(project), {
    settings: { ...READ_SETTINGS, output_format_json_quote_64bit_integers: 0 },
  })
  return sorted(
    rows.map((row) => ({
      project,
      ...Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          times.has(name) && value !== null ? isoOf(String(value)) : value,
        ]),
      ),
    })),
  )
}

/** The rows of all files of a view, each in the file of its time. */
async function filedRows(root: string, view: StoredView, project: string, unit: Unit): Promise<string[]> {
  const folder = join(root, folderOf(view.name, project))
  const found = await readdir(folder).catch(() => [])
  const all: ParquetRow[] = []
  for (const name of found.filter((one) => one !== MANIFEST)) {
    for await (const row of (await openParquet(join(folder, name))).read()) {
      const time = String(row[view.name === 'feedback' ? 'created_at' : 'started_at'])
      expect(`${time.slice(0, unit === 'hour' ? 13 : 10)}.parquet`).toBe(name)
      all.push(row)
    }
  }
  if (found.length > 0) {
    const manifest = manifestOf((await readFile(join(folder, MANIFEST))).toString())!
    expect(manifest.files.map(({ name }) => name)).toEqual(found.filter((one) => one !== MANIFEST).sort())
    expect(manifest.files.reduce((sum, { rows }) => sum + rows, 0)).toBe(all.length)
  }
  return sorted(all)
}

it('each row is in one file, as it is, after an export that ends', { timeout: rounds(120_000) }, async () => {
  const round = fc.record({
    changes: fc.array(change, { maxLength: 6 }),
    unit: fc.constantFrom<Unit>('hour', 'hour', 'day'),
    /** changes of the destination before the exporter is killed; large: it ends */
    dies: fc.integer({ min: 0, max: 12 }),
    isAfter: fc.boolean(),
  })
  let found = 0
  let killed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), async (all) => {
      const project = await aProject()
      const root = mkdtempSync(join(scratch, 'to-'))
      const to = new FolderArtifacts(root)
      const signal = new AbortController().signal
      for (const { changes, unit, dies, isAfter } of all) {
        for (const one of changes) await happen(project, one)
        const { failed } = await exportTo(new Dying(to, dies, isAfter), unit).run({ signal, project })
        killed += failed.length
      }
      const { unit } = all.at(-1)!
      const ended = await exportTo(to, unit).run({ signal, project })
      expect(ended.failed).toEqual([])
      for (const view of EXPORTED) {
        const rows = await rowsOf(view, project)
        expect(await filedRows(root, view, project, unit)).toEqual(rows)
        found += rows.length
      }
      // Nothing is written again that is there.
      expect(await exportTo(to, unit).run({ signal, project })).toEqual({
        ...{ projects: 1, files: 0, rows: 0, removed: 0, failed: [] },
      })
    }),
    // The first is killed at its first file.
    { numRuns: rounds(8), examples: [[[{ changes: WRITES, unit: 'hour', dies: 0, isAfter: false }]]] },
  )
  expect(found).toBeGreaterThan(8)
  expect(killed).toBeGreaterThan(0)
})
