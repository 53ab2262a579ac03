/**
 * Usage of calls and of what is below them (contract §2.3): the statements that fetch each call's own, and the roll-up
 * over the tree. Pure; what a call's usage is comes as numbers, its whole summary never.
 */
import { bind, type Sql, sql } from '../../common/clickhouse/sql.js'
import { errors } from '../../common/errors/catalog.js'
import { bothTables, visible } from './page.js'

/** A call's place in its tree, and its own usage: `[model, ...COUNTS]` each. */
export interface UsageRow {
  id: string
  parent_id: string
  running: number
  usage: [string, ...number[]][]
}

/** What is counted, in the order of a row's numbers. */
export const COUNTS = [
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const

/** One model's numbers in an answer; costs come with prices. */
export type Usage = Record<(typeof COUNTS)[number], number> & Record<`${string}_cost`, null>

const NO_COSTS = {
  prompt_tokens_total_cost: null,
  completion_tokens_total_cost: null,
  cache_read_input_tokens_total_cost: null,
  cache_creation_input_tokens_total_cost: null,
}

const number = (name: string) => sql`JSONExtractInt(of_model.2, ${bind.string(name)})`
const PROMPT = sql`${number('prompt_tokens')} + ${number('input_tokens')}`
const COMPLETION = sql`${number('completion_tokens')} + ${number('output_tokens')}`

/** SQL of a call's own usage: a list of `(model, numbers…)` in the order of {@link COUNTS}. */
export const OWN_USAGE = sql`arrayMap(of_model -> (of_model.1, ${number('requests')}, ${PROMPT}, ${COMPLETION},
  if(${number('total_tokens')} > 0, ${number('total_tokens')}, ${PROMPT} + ${COMPLETION}),
  ${number('cache_read_input_tokens')}, ${number('cache_creation_input_tokens')}), JSONExtractKeysAndValuesRaw(summary, 'usage'))`

/** Rows of {@link UsageRow}, at most `most`. */
export function usageStatement(projectId: string, conditions: readonly Sql[], most: number): Sql {
  const rows = bothTables(
    (table) =>
      sql`SELECT id, parent_id, ended_at, ver, summary ${visible(table, projectId, conditions)} LIMIT ${bind.uint(most)}`,
  )
  return sql`SELECT id, parent_id, ended_at = toDateTime64(0, 6, 'UTC') AS running, ${OWN_USAGE} AS usage
  FROM (${rows}) ORDER BY id, ver DESC LIMIT 1 BY id LIMIT ${bind.uint(most)}`
}

/** The condition of being in a trace of one of these calls. */
export function inTracesOf(projectId: string, ids: readonly string[]): Sql {
  const these = sql`id IN ${bind.strings(ids)}`
  return sql`trace_id IN (${bothTables((table) => sql`SELECT trace_id ${visible(table, projectId, [these])}`)})`
}

/** Most numbers of one answer: calls times the models below them. */
const MOST_TOTALS = 1_000_000

/**
 * Each call's own usage and that of all calls below it among `rows`, by call id and model. From the leaves up, each
 * call once. Calls that are their own ancestors, which only broken clients write, get what hangs on their ring alone.
 * @throws 400 where calls times models are too many to answer
 */
export function rollUp(rows: readonly UsageRow[]): Map<string, Map<string, number[]>> {
  const totals = new Map(rows.map(({ id }) => [id, new Map<string, number[]>()]))
  const parents = new Map(rows.map(({ id, parent_id }) => [id, parent_id]))
  const waitingFor = new Map<string, number>()
  for (const parent of parents.values()) waitingFor.set(parent, (waitingFor.get(parent) ?? 0) + 1)
  let entries = 0
  const addTo = (id: string, model: string, numbers: readonly number[]) => {
    const total = totals.get(id)
    if (!total) return
    const before = total.get(model)
    total.set(model, before ? before.map((one, i) => one + numbers[i]!) : [...numbers])
    if (!before && ++entries > MOST_TOTALS) throw errors.badRequest(TOO_MANY)
  }
  for (const { id, usage } of rows)
    for (const [model, ...numbers] of usage) addTo(id, model, numbers.map(Number))
  const ready = rows.flatMap(({ id }) => (waitingFor.has(id) ? [] : [id]))
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    const parent = parents.get(id)!
    for (const [model, numbers] of totals.get(id)!) addTo(parent, model, numbers)
    const left = waitingFor.get(parent)! - 1
    waitingFor.set(parent, left)
    if (left === 0 && totals.has(parent)) ready.push(parent)
  }
  return totals
}

const TOO_MANY = `Calls times models are more than ${MOST_TOTALS}; ask for fewer calls.`

/** A call's totals as an answer has them. */
export function usageByModel(totals: ReadonlyMap<string, readonly number[]>): Record<string, Usage> {
  return Object.fromEntries(
    [...totals].map(([model, numbers]) => {
      const counts = Object.fromEntries(COUNTS.map((name, i) => [name, numbers[i] ?? 0]))
      return [model, { ...(counts as Record<(typeof COUNTS)[number], number>), ...NO_COSTS }]
    }),
  )
}
