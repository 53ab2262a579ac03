import {
  type CallsQueryReq,
  type CallsQueryStatsReq,
  callFacets,
  callRead,
  callsQuery,
  callsQueryStats,
  callsStreamQuery,
} from '../../contract/calls-read.js'
import type { AddedToLines } from '../../domain/calls/read/added.js'
import { callFields } from '../../domain/calls/read/fields.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import type { Fields } from '../../domain/expr/value.js'
import type { Resolve } from '../../domain/refs/expand.js'
import { tokensOfLines } from '../../domain/token-ids/tokens.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { linesType } from '../../platform/http/accept.js'
import { lineBatches } from '../../platform/http/line-batches.js'
import { listObject } from '../../platform/http/list-member.js'
import type { Principal } from '../../platform/http/principal.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { fieldsThroughRefs } from '../expand/fields.js'
import { expanded } from '../expand/lines.js'
import { expandPaths, type Path } from '../expand/paths.js'
import { activityRoute } from './activity-route.js'
import { type Counted, countStatement } from './count.js'
import { type FacetCount, facetsOf, facetsStatement } from './facets.js'
import { filterConditions } from './filter.js'
import { countedPage, isNarrow, lineOf, pageOf, wholeLine } from './selection.js'
import { statsOf, statsRoute } from './stats-route.js'

export interface CallsParts {
  store: Store
  /** limits of one query */
  limits: Required<Limits>
}

export interface CallsRoutesParts extends CallsParts {
  /** resolves refs; absent: none is resolved */
  resolve?: Resolve
  /** feedback on calls; absent: none */
  feedback?: AddedToLines
}

const NO_REFS: Resolve = async () => new Map()

export function callsRoutes(parts: CallsRoutesParts): Bound[] {
  const { store, limits, resolve = NO_REFS, feedback } = parts
  const reader = new CallReader(store, limits)
  const tokens = tokensOfLines(store, limits)

  /** What `plan` makes of a request's fields, including those that lead through refs. */
  const planned = async <Plan>(
    request: CallsQueryReq | CallsQueryStatsReq,
    plan: (fields: Fields) => Plan,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<Plan> => {
    const { project_id: project, query } = request
    const paths = expandPaths(request.expand_columns)
    if (paths.length === 0)
      return isNarrow(request.filter) ? plan(callFields(project)) : reader.placed(project, plan, signal)
    const sortBy = 'sort_by' in request ? request.sort_by : null
    const conditions = filterConditions(request.filter, project)
    const expansion = { project, projectId: projectIdOf(project), conditions, paths, query, sortBy }
    const read = (statement: Sql) => reader.rows<{ ref: string }>(statement, signal)
    return plan(callFields(project, await fieldsThroughRefs(expansion, read, resolve, principal)))
  }

  /** The lines of the requested calls. */
  const linesFor = async (
    body: CallsQueryReq,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> => {
    const page = await planned(body, (fields) => pageOf(body, fields), principal, signal)
    const lines = await reader.page(page, lineOf(body), signal)
    const paths = body.return_expanded_column_values === false ? [] : expandPaths(body.expand_columns)
    const added = [
      ...(body.include_feedback && feedback ? [feedback] : []),
      ...(body.include_token_ids ? [tokens] : []),
    ]
    const enrichment = { project: body.project_id, principal, added, paths, resolve }
    return added.length + paths.length > 0 ? enrichedLines(lines, enrichment, signal) : lines
  }

  const stream = serve(
    callsStreamQuery,
    async ({ body, headers, signal, principal }) =>
      new Reply(200, linesType(headers.get('accept')), await linesFor(body, principal, signal)),
  )

  const whole = serve(
    callsQuery,
    async ({ body, signal, principal }) =>
      new Reply(200, 'application/json', listObject('calls', await linesFor(body, principal, signal))),
  )

  const stats = serve(callsQueryStats, async ({ body, signal, principal }) => {
    const { limit } = body
    const sizes = body.include_total_storage_size === true
    const page = await planned(body, (fields) => countedPage(body, fields), principal, signal)
    const few = sizes ? undefined : await reader.few(page, signal)
    const [row] =
      few === undefined
        ? await reader.rows<Counted>(countStatement({ ...page, sizes }), signal)
        : [{ count: few }]
    const count = Number(row?.count ?? 0)
    return {
      count,
      has_more: limit !== null && count >= limit,
      total_storage_size_bytes: sizes ? Number(row?.bytes ?? 0) : null,
    }
  })

  const read = serve(callRead, async ({ body, signal }) => {
    const line = await reader.one(projectIdOf(body.project_id), body.id, wholeLine(body), signal)
    const call = line.length > 0 ? line.subarray(0, -1) : Buffer.from('null')
    return new Reply(
      200,
      'application/json',
      Buffer.concat([Buffer.from('{"call":'), call, Buffer.from('}')]),
    )
  })

  const statistics = statsOf(reader, store)
  return [
    ...[stream, whole, stats, read],
    ...[statsRoute(statistics), activityRoute(reader, statistics)],
    serve(callFacets, async ({ body, signal }) => {
      const planIn = (fields: Fields) => facetsStatement(body, fields)
      const statement = await reader.placed(body.project_id, planIn, signal)
      return facetsOf(body, await reader.rows<FacetCount>(statement, signal))
    }),
  ]
}

interface Enrichment {
  project: string
  principal: Principal
  /** from other tables */
  added: readonly AddedToLines[]
  /** empty: nothing is expanded */
  paths: readonly Path[]
  resolve: Resolve
}

const NEWLINE = Buffer.from('\n')

/** The same lines with what is added, batch by batch; all of it is read concurrently. */
async function* enrichedLines(
  lines: AsyncIterable<Uint8Array>,
  { project, principal, added, paths, resolve }: Enrichment,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const batch of lineBatches(lines)) {
    const [adds, whole] = await Promise.all([
      Promise.all(added.map((read) => read(batch, project, signal))),
      paths.length === 0 ? batch : expanded(batch, paths, resolve, principal),
    ])
    const all = adds.reduce<readonly Buffer[]>((lines, add) => add(lines), whole)
    yield Buffer.concat(all.flatMap((line) => [line, NEWLINE]))
  }
}
