/** Stores and lists what the rows of datasets were made from. */
import { hash } from 'node:crypto'
import type { LinkRequest, LinksQuery, SourceRef, SourcesQuery } from '../../contract/dataset-sources.js'
import { OTEL_SPAN } from '../../domain/calls/otel-span.js'
import { TRACE_NAME } from '../../domain/calls/read/fields.js'
import { newestOf, rowsOfBoth } from '../../domain/calls/read/visible.js'
import { pageOf } from '../../domain/lists/sql.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'

/** What is kept of a source. */
interface Source extends SourceRef {
  /** µs since the epoch */
  started: number
  name: string
}

/** A row of a dataset and what it was made from. */
interface Link {
  row: string
  source: Source
  metadata: object | null
}

/** A stored link; times in µs since the epoch. */
interface LinkRow extends SourceRef {
  id: string
  row_digest: string
  started: number
  name: string
  link_metadata: string
  added_by: string
  created: number
  updated: number
  /** 0: it is not deleted */
  deleted: number
}

interface Membership extends SourceRef {
  dataset_object_id: string
  row_digests: string[]
  total: number
  first: number
}

/** True for links that are not deleted. */
const LIVE = sql`toUnixTimestamp64Micro(deleted_at) = 0`
const unlessAsked = ({ include_deleted }: { include_deleted: boolean }) => (include_deleted ? sql`1` : LIVE)

/** Most digests of rows that a membership lists. */
const MOST_DIGESTS = 100

export class DatasetSources {
  constructor(private readonly store: Store) {}

  /**
   * Stores the links of a request, all or none; one that exists keeps who made it, and when.
   * @returns in order of the request: the link's id, and whether it is new
   * @throws 400 for a source that does not exist
   */
  async link(request: LinkRequest, userId: string): Promise<{ link_id: string; isNew: boolean }[]> {
    const { project_id, dataset_object_id: dataset } = request
    const project = projectIdOf(project_id)
    const now = nowMicros()
    const known = await this.known(
      project,
      request.links.flatMap(({ sources }) => sources),
    )
    const links = request.links.flatMap(({ row_digest: row, sources, link_metadata: metadata }): Link[] =>
      sources.map((source) => ({ row, source: stored(source, known, now), metadata })),
    )
    const rows = new Map(links.map((link) => [linkId(project, dataset, link), link]))
    const before = await this.before(project, dataset, [...rows])
    await this.store.insertRows(
      'dataset_sources',
      [...rows].map(([id, { row, source, metadata }]) => ({
        project_id: project,
        dataset_object_id: dataset,
        row_digest: row,
        source_kind: source.source_kind,
        source_id: source.source_id,
        source_trace_id: source.source_trace_id,
        id,
        started_at: isoOfMicros(source.started),
        display_name: source.name,
        link_metadata: metadata === null ? '' : JSON.stringify(metadata),
        added_by: before.get(id)?.by ?? userId,
        created_at: isoOfMicros(before.get(id)?.at ?? now),
        ver: nextVersion(),
      })),
    )
    const seen = new Set(before.keys())
    return links.map((link) => {
      const id = linkId(project, dataset, link)
      const isNew = !seen.has(id)
      seen.add(id)
      return { link_id: id, isNew }
    })
  }

  /** Deletes links, all or none; they stay, marked. @throws 400 for one that the project doesn't have */
  async unlink(project: string, ids: readonly string[]): Promise<{ link_id: string; deleted: boolean }[]> {
    if (ids.length === 0) return []
    const these = sql`project_id = ${bind.string(projectIdOf(project))} AND id IN ${bind.strings(ids)}`
    const known = await this.store.rows<{ id: string; live: 0 | 1 }>(
      sql`SELECT id, ${LIVE} AS live FROM dataset_sources FINAL WHERE ${these}`,
    )
    const live = new Map(known.map((row) => [row.id, row.live === 1]))
    const unknown = ids.find((id) => !live.has(id))
    if (unknown !== undefined)
      throw errors.badRequest(`The link "${unknown.slice(0, 100)}" does not exist in this project.`)
    const now = nowMicros()
    await this.store.run(sql`
      INSERT INTO dataset_sources SELECT * REPLACE(
        fromUnixTimestamp64Micro(${bind.time(now)}, 'UTC') AS deleted_at, toUInt64(${bind.time(nextVersion())}) AS ver)
      FROM (SELECT * FROM dataset_sources FINAL WHERE ${these} AND ${LIVE})`)
    return ids.map((link_id) => {
      const deleted = live.get(link_id)!
      live.set(link_id, false)
      return { link_id, deleted }
    })
  }

  /** The links of a dataset, by row and source. */
  async list(query: LinksQuery) {
    const { project_id, dataset_object_id, row_digests, source_kinds, limit, offset } = query
    const rows = await this.store.rows<LinkRow>(sql`
      SELECT id, row_digest, source_kind, source_id, source_trace_id, toUnixTimestamp64Micro(started_at) AS started,
        display_name AS name, link_metadata, added_by, toUnixTimestamp64Micro(created_at) AS created, ver AS updated,
        toUnixTimestamp64Micro(deleted_at) AS deleted
      FROM dataset_sources FINAL
      WHERE project_id = ${bind.string(projectIdOf(project_id))} AND dataset_object_id = ${bind.string(dataset_object_id)}
        AND ${unlessAsked(query)} ${row_digests?.length ? sql`AND row_digest IN ${bind.strings(row_digests)}` : sql``}
        ${source_kinds?.length ? sql`AND toString(source_kind) IN ${bind.strings(source_kinds)}` : sql``}
      ORDER BY row_digest, dataset_sources.source_kind, source_id, source_trace_id${pageOf(limit, offset)}`)
    return rows.map(({ started, name, created, updated, deleted, link_metadata, ...row }) => ({
      ...row,
      source_started_at: isoOfMicros(started),
      source_display_name: name,
      link_metadata: link_metadata === '' ? null : (JSON.parse(link_metadata) as Record<string, unknown>),
      created_at: isoOfMicros(created),
      updated_at: isoOfMicros(updated),
      deleted_at: deleted > 0 ? isoOfMicros(deleted) : null,
    }))
  }

  /** The datasets with rows made from `sources`; nothing for a source without links. */
  async datasetsOf(query: SourcesQuery) {
    const { project_id: project, sources } = query
    if (sources.length === 0) return []
    const rows = await this.store.rows<Membership>(sql`
      SELECT source_kind, source_id, source_trace_id, dataset_object_id,
        arraySlice(arraySort(groupUniqArray(row_digest)), 1, ${bind.uint(MOST_DIGESTS)}) AS row_digests,
        uniqExact(row_digest) AS total, toUnixTimestamp64Micro(min(created_at)) AS first
      FROM dataset_sources FINAL
      WHERE project_id = ${bind.string(projectIdOf(project))} AND ${unlessAsked(query)}
        AND source_id IN ${bind.strings(sources.map(({ source_id }) => source_id))}
        AND (toString(source_kind), source_id, if(source_kind = 'call', '', source_trace_id)) IN ${bind.tuples(
          ['String', 'String', 'String'],
          sources.map(({ source_kind: kind, source_id, source_trace_id }) => [
            kind,
            source_id,
            kind === 'call' ? '' : source_trace_id,
          ]),
        )}
      GROUP BY source_kind, source_id, source_trace_id, dataset_object_id
      ORDER BY dataset_sources.source_kind, source_id, source_trace_id, dataset_object_id`)
    return rows.map(({ total, first, ...row }) => ({
      ...row,
      row_digests_truncated: total > row.row_digests.length,
      row_digests_total_count: total,
      first_seen_at: isoOfMicros(first),
    }))
  }

  /** The calls and spans among `sources` that exist, by id. */
  private async known(project: string, sources: readonly SourceRef[]): Promise<Map<string, Source[]>> {
    const ids = new Set(sources.flatMap((one) => (one.source_kind === 'conversation' ? [] : [one.source_id])))
    if (ids.size === 0) return new Map()
    const columns = sql`id, started_at, ended_at, display_name, trace_id, ver, ${OTEL_SPAN} AS span, ${TRACE_NAME} AS op`
    const seen = rowsOfBoth(columns, project, [sql`id IN ${bind.strings([...ids])}`])
    const facts = sql`id, trace_id AS trace, toUnixTimestamp64Micro(started_at) AS started,
      coalesce(nullIf(display_name, ''), nullIf(JSONExtractString(span, 'name'), ''), op) AS name`
    const rows = await this.store.rows<{
      id: string
      trace: string
      started: number
      name: string
    }>(newestOf(facts, seen, { by: sql`id, trace_id` }))
    const known = new Map<string, Source[]>()
    for (const { id, trace, started, name } of rows) {
      const source = { source_kind: 'span' as const, source_id: id, source_trace_id: trace, started, name }
      known.set(id, [...(known.get(id) ?? []), source])
    }
    return known
  }

  /** Who made which of the links, and when (µs since the epoch). */
  private async before(
    project: string,
    dataset: string,
    links: readonly (readonly [string, Link])[],
  ): Promise<Map<string, { by: string; at: number }>> {
    const rows = await this.store.rows<{ id: string; by: string; at: number }>(sql`
      SELECT id, added_by AS by, toUnixTimestamp64Micro(created_at) AS at FROM dataset_sources FINAL
      WHERE project_id = ${bind.string(project)} AND dataset_object_id = ${bind.string(dataset)} AND ${LIVE}
        AND row_digest IN ${bind.strings([...new Set(links.map(([, { row }]) => row))])}
        AND id IN ${bind.strings(links.map(([id]) => id))}`)
    return new Map(rows.map(({ id, ...made }) => [id, made]))
  }
}

/** A source as it is kept. @throws 400 if it does not exist, or its trace is not the one that it must have */
function stored(source: SourceRef, known: ReadonlyMap<string, Source[]>, now: number): Source {
  const { source_kind: kind, source_id: id, source_trace_id: trace } = source
  if (kind === 'conversation') {
    if (trace !== '') throw errors.badRequest('A conversation has no trace; send an empty source_trace_id.')
    return { ...source, started: now, name: '' }
  }
  if (kind === 'span' && trace === '')
    throw errors.badRequest(`The span "${id.slice(0, 100)}" needs its source_trace_id.`)
  const found = known.get(id)?.find((one) => kind === 'call' || one.source_trace_id === trace)
  if (!found) throw errors.badRequest(`The ${kind} "${id.slice(0, 100)}" does not exist in this project.`)
  return { ...found, source_kind: kind }
}

/** The same for the same row and source, whenever it is linked. */
function linkId(project: string, dataset: string, { row, source }: Link): string {
  const parts = [project, dataset, row, source.source_kind, source.source_id, source.source_trace_id]
  return hash('sha256', JSON.stringify(parts)).slice(0, 32)
}
