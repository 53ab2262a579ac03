import * as declared from '../../../contract/langfuse-reads.js'
import { pageMeta } from '../../../contract/langfuse-shared.js'
import type { SpanPlaces } from '../../../domain/calls/span-places.js'
import { rootIdOf } from '../../../domain/imports/langfuse.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Bound } from '../../../platform/http/request.js'
import { isoOfMicros } from '../../../platform/time/iso.js'
import type { Parts } from '../../parts.js'
import { cursorText, readCursor } from '../cursor.js'
import type { ScoreReader } from '../scores/reader.js'
import { serveLangfuse } from '../serve.js'
import { LangfuseCalls, type Wanted } from './calls.js'
import { deleteTraces } from './delete.js'
import {
  after,
  observationConditions,
  orderOf,
  sessionConditions,
  traceConditions,
  traceOrder,
} from './select.js'
import {
  type CallLine,
  environmentOf,
  grouped,
  observationOf,
  TRACE_CONTEXT,
  totalCostOf,
  traceOf,
} from './view.js'

/** The most observations of one trace, and traces of one session, that are read at once. */
const MOST_OBSERVATIONS = 10_000
const MOST_TRACES = 1000

export function readRoutes(parts: Parts, scores: ScoreReader): Bound[] {
  const calls = new LangfuseCalls(parts)

  /** The conditions of a query; attributes are read at their places. */
  const placed = <Query>(
    conditionsOf: (project: string, query: Query, places?: SpanPlaces) => Sql[],
    project: string,
    query: Query,
    signal: AbortSignal,
  ) => calls.placed(project, (places) => conditionsOf(project, query, places), signal)

  /** A numbered page of calls, and what is said of it. */
  const numbered = async (
    project: string,
    query: { page: number; limit: number },
    conditions: readonly Sql[],
    signal: AbortSignal,
    ordered: Pick<Wanted, 'direction' | 'order'> = {},
  ) => {
    const { page, limit } = query
    const [found, total] = await Promise.all([
      calls.page(project, { conditions, limit, offset: (page - 1) * limit, ...ordered }, signal),
      calls.count(project, conditions, signal),
    ])
    return { found, meta: pageMeta(query, total) }
  }

  return [
    serveLangfuse(declared.langfuseTraces, async ({ project, query, signal }) => {
      const { direction } = orderOf(query.orderBy)
      const plan = (places: SpanPlaces | undefined) => ({
        conditions: traceConditions(project, query, places),
        order: traceOrder(project, query, places),
      })
      const { conditions, order } = await calls.placed(project, plan, signal)
      const { found, meta } = await numbered(project, query, conditions, signal, { direction, order })
      const traces = found.map(({ trace_id }) => trace_id)
      const [inTraces, sent, scored] = await Promise.all([
        calls.ofTraces(project, traces, signal),
        calls.sentCosts(project, traces, signal),
        scores.ofTraces(project, traces, signal),
      ])
      const data = found.map((root) => {
        const own = inTraces.filter((call) => call.trace_id === root.trace_id && isObservation(call))
        return {
          ...traceOf(project, root),
          totalCost: own.reduce((sum, call) => sum + totalCostOf(call, sent.get(call.id)), 0),
          observations: own.map(({ id }) => id),
          scores: scored.filter(({ traceId }) => traceId === root.trace_id).map(({ id }) => id),
        }
      })
      return { data, meta }
    }),
    serveLangfuse(declared.langfuseTrace, async ({ project, params, signal }) => {
      const { trace_id } = params
      const conditions = [sql`trace_id = ${bind.string(trace_id)}`]
      const [found, scored] = await Promise.all([
        calls.page(project, { conditions, limit: MOST_OBSERVATIONS, direction: 'asc', narrow: true }, signal),
        scores.ofTraces(project, [trace_id], signal),
      ])
      const root = found.find(({ parent_id }) => parent_id === null) ?? found[0]
      if (root === undefined) throw errors.notFound(`Trace ${trace_id}`)
      const others = found.filter((call) => call !== root)
      const observations = found.filter(isObservation).map((call) => observationOf(project, call))
      const totalCost = observations.reduce((sum, { totalCost }) => sum + totalCost, 0)
      return { ...traceOf(project, root, others), totalCost, observations, scores: scored }
    }),
    serveLangfuse(declared.langfuseTraceDelete, async ({ project, params }) => {
      await deleteTraces(parts, calls, project, [params.trace_id])
      return { message: 'Trace deleted successfully' as const }
    }),
    serveLangfuse(declared.langfuseTracesDelete, async ({ project, body }) => {
      await deleteTraces(parts, calls, project, body.traceIds)
      return { message: 'Traces deleted successfully' as const }
    }),
    serveLangfuse(declared.langfuseObservations, async ({ project, query, signal }) => {
      const conditions = await placed(observationConditions, project, query, signal)
      const { found, meta } = await numbered(project, query, conditions, signal)
      return { data: found.map((call) => observationOf(project, call)), meta }
    }),
    serveLangfuse(declared.langfuseObservationsV2, async ({ project, query, signal }) => {
      const { limit, cursor, fields = 'core,basic', isRootObservation } = query
      const conditions = [
        ...(await placed(observationConditions, project, query, signal)),
        ...(isRootObservation === undefined
          ? []
          : [isRootObservation ? sql`parent_id = ''` : sql`parent_id != ''`]),
        ...(cursor === undefined ? [] : [after(readCursor(cursor))]),
      ]
      const found = await calls.page(project, { conditions, limit: limit + 1 }, signal)
      const shown = found.slice(0, limit)
      const groups = fields.split(',')
      const roots = groups.includes(TRACE_CONTEXT) ? await calls.rootsOf(project, shown, signal) : NO_ROOTS
      return {
        data: shown.map((call) => grouped(project, call, groups, roots.get(call.trace_id))),
        meta: found.length > limit ? { cursor: cursorText(placeOf(shown.at(-1)!)) } : {},
      }
    }),
    serveLangfuse(declared.langfuseObservation, async ({ project, params, signal }) => {
      const conditions = [sql`id = ${bind.string(params.observation_id)}`]
      const [call] = await calls.page(project, { conditions, limit: 1 }, signal)
      if (call === undefined || !isObservation(call))
        throw errors.notFound(`Observation ${params.observation_id}`)
      return observationOf(project, call)
    }),
    serveLangfuse(declared.langfuseSessions, async ({ project, query, signal }) => {
      const { page, limit } = query
      const conditions = await placed(sessionConditions, project, query, signal)
      const { rows, total } = await calls.sessions(project, conditions, limit, (page - 1) * limit, signal)
      // The newest first, so that the first root of each is what is left.
      const rootsOf = [sql`thread_id IN ${bind.strings(rows.map(({ id }) => id))}`, sql`parent_id = ''`]
      const wanted = { conditions: rootsOf, limit: MOST_TRACES, columns: ['attributes', 'thread_id'] }
      const roots = rows.length === 0 ? [] : await calls.page(project, wanted, signal)
      const environments = new Map(roots.map((root) => [root.thread_id, environmentOf(root)]))
      const data = rows.map(({ id, created }) => ({
        ...{ id, projectId: project, createdAt: isoOfMicros(created) },
        environment: environments.get(id) ?? 'default',
      }))
      return { data, meta: pageMeta(query, total) }
    }),
    serveLangfuse(declared.langfuseSession, async ({ project, params, signal }) => {
      const { session_id: sessionId } = params
      const ids = await calls.headsOfSession(project, sessionId, MOST_TRACES, signal)
      const conditions = [sql`id IN ${bind.strings(ids)}`]
      const wanted = { conditions, limit: ids.length, direction: 'asc' } as const
      const heads = await calls.page(project, wanted, signal)
      const traces = heads.map((head) => ({ ...traceOf(project, head), sessionId }))
      const [first] = traces
      if (first === undefined) throw errors.notFound(`Session ${sessionId}`)
      const { timestamp: createdAt, environment } = first
      return { id: sessionId, projectId: project, createdAt, environment, traces }
    }),
  ]
}

const NO_ROOTS: ReadonlyMap<string, CallLine> = new Map()

/** A trace of the older SDKs is a call, and no observation. */
const isObservation = ({ id, trace_id }: CallLine) => id !== rootIdOf(trace_id)

function placeOf({ started_at, id }: CallLine) {
  const micros = Number((/\.(\d{1,6})/.exec(started_at)?.[1] ?? '').padEnd(6, '0'))
  return { created: Math.floor(Date.parse(started_at) / 1000) * 1e6 + micros, id }
}
