/** Adds rows that were made from calls to a dataset, as a new version of it. */
import { refIn, refText } from '../../contract/ref.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { type JsonTree, treeText } from '../../platform/json/tree.js'
import { classValue } from '../evaluation/create.js'
import type { EvaluationParts } from '../evaluation/parts.js'
import { changingObject } from '../objects/changing.js'
import { wireFields } from '../objects/values.js'
import { keyOf } from '../objects/versions.js'
import { DigestList } from '../tables/digest-list.js'
import { DatasetSources } from './sources.js'

const DATASET = 'Dataset'

/** A row, and the call that it was made from. */
export interface NewRow {
  /** JSON object, refs in wire form */
  text: string
  call: { id: string; traceId: string }
}

export interface Addition {
  project: string
  dataset: string
  userId: string
  /** called with the digest of a new version before it is there */
  before?: (digest: string) => Promise<void>
}

/**
 * Adds rows to the newest version, or makes the dataset. A row that is there already, to the byte, is not added again, so
 * it may be called again after a failure.
 * @returns the digest of the version that has the rows, and how many were added
 * @throws 400 if the object is none of datasets
 */
export function addRows(
  parts: EvaluationParts,
  { project, dataset, userId, before }: Addition,
  rows: readonly NewRow[],
): Promise<{ digest: string; added: number }> {
  const { store, leases, finder, workers, register, tableReader, tableWriter, publisher } = parts
  const projectId = projectIdOf(project)
  const author = { project, userId }
  return changingObject(leases, { project: projectId, object: dataset }, async () => {
    const found = await finder.find(projectId, dataset, 'latest')
    const version = found?.deleted_at === 0 ? found : undefined
    if (version && version.base_class !== DATASET)
      throw errors.badRequest(`${dataset} is not a dataset; give another name.`)
    const [value = new Map<string, JsonTree>()] = version ? await wireFields(parts, [keyOf(version)]) : []
    const base = tableOf(value.get('rows'))
    const table = await asTable(rows)
    const digests = [...DigestList.over(table.rows.digests).texts()]
    const rowDigests = Array.from(table.order, (row) => digests[row]!)
    const there = base === undefined ? new Set<string>() : await rowsIn(base, rowDigests)
    const fresh = rows.filter(
      (_, i) => !there.has(rowDigests[i]!) && rowDigests.indexOf(rowDigests[i]!) === i,
    )
    await register.note([project, ...table.projects])
    let digest = version?.digest
    if (fresh.length > 0 || digest === undefined) {
      const list = await grown(base, fresh)
      const ref = refText({ project, kind: 'table', digest: list })
      const json = version
        ? treeText(new Map([...value]).set('rows', ref))
        : classValue(DATASET, [
            ['name', dataset],
            ['description', null],
            ['rows', ref],
          ])
      const next = await workers.run('value', Buffer.from(json))
      await before?.(next.digest)
      digest = await publisher.object(author, dataset, json)
    }
    const links = rows.map(({ call }, i) => ({
      ...{ row_digest: rowDigests[i]!, link_metadata: null },
      sources: [{ source_kind: 'call' as const, source_id: call.id, source_trace_id: call.traceId }],
    }))
    const link = { project_id: project, dataset_object_id: dataset, dataset_digest: digest, links }
    await new DatasetSources(store).link(
      { ...link, include_created_status: false, platform_user_id: null },
      userId,
    )
    return { digest, added: fresh.length }
  })

  function asTable(these: readonly NewRow[]) {
    const list = these.map(({ text }) => text).join(',')
    return workers.run(
      'table',
      bytesOf(`{"table":{"project_id":${JSON.stringify(project)},"rows":[${list}]}}`),
    )
  }

  async function rowsIn(table: string, rowDigests: readonly string[]): Promise<Set<string>> {
    const rows = await store.rows<{ row_digest: string }>(sql`SELECT DISTINCT row_digest FROM table_index
      WHERE project_id = ${bind.string(projectId)} AND digest = ${bind.string(table)}
        AND row_digest IN ${bind.strings(rowDigests)}`)
    return new Set(rows.map((row) => row.row_digest))
  }

  /** Stores the table with these rows after those of `base`. @returns its digest */
  async function grown(base: string | undefined, fresh: readonly NewRow[]): Promise<string> {
    if (base === undefined) {
      const { digest, order, rows: made } = await asTable(fresh)
      await tableWriter.create({ project: projectId, digest }, order, made, userId)
      return digest
    }
    const key = { project: projectId, digest: base }
    const updates = fresh.map(({ text }) => `{"append":{"row":${text}}}`).join(',')
    const read = await workers.run(
      'update',
      bytesOf(
        `{"project_id":${JSON.stringify(project)},"base_digest":${JSON.stringify(base)},"updates":[${updates}]}`,
      ),
    )
    const list = await tableReader.rowDigests(key)
    const made = await workers.run('change', { bytes: read.bytes, base: list }, list.length)
    await tableWriter.change(key, made, userId)
    return made.digest
  }
}

/** The digest of the table that a ref names. */
function tableOf(rows: JsonTree | undefined): string | undefined {
  const ref = typeof rows === 'string' ? refIn(rows) : undefined
  return ref?.kind === 'table' ? ref.digest : undefined
}

/** The body of a route: JSON text as bytes that a thread may have. */
const bytesOf = (json: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(json))
