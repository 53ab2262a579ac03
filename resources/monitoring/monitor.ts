/** A monitor as its object says it, and which calls it matches. Pure; knows no progress. */
import { z } from 'zod'
import { Query } from '../../contract/query-expr.js'
import { NAMES_CONVERSATION } from '../../domain/agents/own-conversation.js'
import { callFields } from '../../domain/calls/read/fields.js'
import { EPOCH } from '../../domain/calls/unset.js'
import { NOT_BY_MONITOR } from '../../domain/evaluation/monitored.js'
import { compileExpr } from '../../domain/expr/compile.js'
import { opNames } from '../../domain/refs/op-name.js'
import { allOf, bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import type { HeddleError } from '../../platform/errors/error.js'
import { isObject } from '../../platform/json/object.js'

/** The class of monitors, the one of those whose judges are asked together, and the op that means the turns of agents: the SDK's names. */
export const MONITOR_CLASS = 'Monitor'
const CLASSIFIER_CLASS = 'ClassifierMonitor'
export const TURN_ENDED = 'weave.genai.turn_ended'

const MOST_OPS = 1000
const MOST_SCORERS = 50

const Debounce = z.object({
  aggregation_field: z.enum(['trace_id', 'thread_id']),
  aggregation_method: z.enum(['last_message', 'all_messages']).nullish(),
  timeout_seconds: z.number().min(0).max(86_400),
})

/** What a monitor's object says; fields that are not listed here are the SDK's own. */
const Value = z.object({
  active: z.boolean().default(false),
  sampling_rate: z.number().min(0).max(1).default(1),
  op_names: z.array(z.string().min(1)).max(MOST_OPS).nullish(),
  query: z.unknown().optional(),
  scorers: z.array(z.string()).min(1).max(MOST_SCORERS),
  scorer_debounce_config: Debounce.nullish(),
})

export interface Monitor {
  active: boolean
  /** 0 to 1 */
  rate: number
  /** empty: all */
  ops: readonly string[]
  query: Query | undefined
  /** refs */
  scorers: readonly string[]
  debounce: z.output<typeof Debounce> | undefined
  /** its judges are asked by one request */
  isClassifier: boolean
}

/** @param value in wire form @throws `INVALID_MONITOR` (400) with what is wrong */
export function monitorOf(value: unknown): Monitor {
  const read = Value.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    throw errors.invalidMonitor(
      issue!.path[0] === 'scorers'
        ? 'its scorers are not refs; publish each scorer, and name one to 50 of them'
        : `its ${issue!.path.join('.')} is not what it should be (${issue!.message})`,
    )
  }
  const { active, sampling_rate, op_names, query, scorers, scorer_debounce_config: debounce } = read.data
  return {
    ...{ active, rate: sampling_rate, ops: op_names ?? [], scorers },
    query: queryOf(query),
    debounce: debounce ?? undefined,
    isClassifier: isObject(value) && value._class_name === CLASSIFIER_CLASS,
  }
}

/** The SDK sends a query as the object that it is, with its class; a condition of nothing matches everything. */
function queryOf(value: unknown): Query | undefined {
  if (!isObject(value)) return undefined
  const expr = value.$expr ?? value.expr_
  if (!isObject(expr) || Object.keys(expr).length === 0) return undefined
  const read = Query.safeParse({ $expr: expr })
  if (!read.success) throw errors.invalidMonitor(`its query is invalid (${read.error.issues[0]!.message})`)
  return read.data
}

/**
 * True for the calls that a monitor or a rule matches: ended ones, none that a monitor made.
 * @param name of its object, from which its sample follows
 * @param project `entity/project`
 * @param invalid makes the error (400) for a query that needs more than the call itself
 */
export function matches(
  { ops, query, rate }: Pick<Monitor, 'ops' | 'query' | 'rate'>,
  name: string,
  project: string,
  invalid: (why: string) => HeddleError = errors.invalidMonitor,
): Sql {
  const conditions = [
    sql`ended_at != ${EPOCH}`,
    ...(ops.length > 0 ? [ofOps(ops, project)] : []),
    ...(rate < 1 ? [isSampled(name, rate)] : []),
    NOT_BY_MONITOR,
  ]
  if (query !== undefined) conditions.push(sql`(${compileExpr(query.$expr, callFields(project))})`)
  const all = allOf(conditions)
  if (all.joins.length > 0)
    throw invalid('its query reads what is not in the call, such as feedback; ask only about the call')
  return all
}

/** True for the turns of agents. */
export const IS_TURN = sql`(parent_id = '' AND (agent_name != '' OR ${NAMES_CONVERSATION} OR operation_name = 'invoke_agent'))`

/** True for a sample. The id is hashed once for all monitors that ask. */
const isSampled = (name: string, rate: number): Sql =>
  sql`bitXor(cityHash64(id), cityHash64(${bind.string(name)})) < toUInt64(${bind.string(String(BigInt(Math.round(rate * 1e6)) * PER_MILLION))})`

const PER_MILLION = 2n ** 64n / 1_000_000n

/** True for the calls of these ops, one at least. */
export const ofOps = (ops: readonly string[], project: string): Sql =>
  sql`(${join(
    ops.map((op) => ofOp(op, project)),
    sql` OR `,
  )})`

/** An op by ref, all of its versions by `name:*`, or by its name, whatever sent it. */
function ofOp(op: string, project: string): Sql {
  if (op === TURN_ENDED) return IS_TURN
  const [, name] = ALL_VERSIONS.exec(op) ?? []
  // The SDK makes such a ref of a name, which may be a span's.
  const named = name === undefined ? opNames(project, op) : [op, ...opNames(project, decoded(name))]
  const pieces = [...new Set(named)].map((one) =>
    one.endsWith(':*')
      ? sql`startsWith(op_name, ${bind.string(one.slice(0, -1))})`
      : sql`op_name = ${bind.string(one)}`,
  )
  return sql`(${join(pieces, sql` OR `)})`
}

const ALL_VERSIONS = /^weave:\/\/\/[^/]+\/[^/]+\/op\/([^/:]+):\*$/

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
