/**
 * What agents or the versions of one cost: tokens are summed by model in the store and priced here, since a price for each
 * span costs the store more than all else. A span that names no agent counts for the agent of its trace
 * (`identityStatement`). Knows no lists.
 */
import { uncachedPrompt } from '../../domain/costs/expression.js'
import { bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { costsOfSpan, SPAN_TOKENS } from './costs.js'
import { spansOf, type Window } from './identity.js'
import type { AgentReader } from './read.js'

/** Agents by name, or some versions of one agent. */
export type Billed = { names: readonly string[] } | { name: string; versions: readonly string[] }

/** The tokens of a model, of the agent or version at `place`, counted from 1. */
interface Tokens {
  place: number
  response_model: string
  request_model: string
  /** without those of the cache */
  prompt: number
  completion: number
  cache_read: number
  cache_creation: number
}

/** Spans without a model have no price. */
const HAS_MODEL = sql`(response_model != '' OR request_model != '')`

const TOKENS = sql`response_model, request_model,
  sum(${uncachedPrompt(SPAN_TOKENS)}) AS prompt,
  sum(${SPAN_TOKENS.completion}) AS completion, sum(${SPAN_TOKENS.cacheRead}) AS cache_read,
  sum(${SPAN_TOKENS.cacheCreation}) AS cache_creation`
const BY_MODEL = sql`GROUP BY place, response_model, request_model HAVING place > 0`

/** The place of a span's own agent or version among those that are billed; 0: none of them. */
function placeOf(billed: Billed): Sql {
  const among = (column: Sql, keys: readonly string[]) =>
    sql`transform(toString(${column}), ${bind.strings(keys)}, ${bind.uints(keys.map((_, i) => i + 1))}, toUInt64(0))`
  return 'names' in billed
    ? among(sql`agent_name`, billed.names)
    : sql`if(agent_name = ${bind.string(billed.name)}, ${among(sql`agent_version`, billed.versions)}, 0)`
}

/** Tokens of spans that name their agent. */
export function ownTokens(window: Window, billed: Billed): Sql {
  const spans = spansOf(window, [HAS_MODEL, sql`agent_name != ''`])
  return sql`SELECT ${placeOf(billed)} AS place, ${TOKENS} ${spans} ${BY_MODEL}`
}

/** Bytes of a statement for each trace that it tells apart, in its table and the join's: 200 to 300 with a million. */
const TRACE_BYTES = 300

/** A piece of all traces: the hashes that leave `rest` when divided by `of`. */
interface Piece {
  rest: number
  of: number
}

/** Pieces that a statement holds in memory each. @param named spans that name their agent, so at least as many as traces */
function piecesOf(named: number, memoryBytes: number): Piece[] {
  const of = Math.max(1, Math.ceil((named * TRACE_BYTES) / memoryBytes))
  return Array.from({ length: of }, (_, rest) => ({ rest, of }))
}

/**
 * Tokens of spans whose agent only their trace names. Traces are told apart by 64 bits, in a quarter of the memory of their
 * ids: of ten million traces two are alike once in 400,000 projects.
 */
export function inheritedTokens(window: Window, billed: Billed, { rest, of }: Piece): Sql {
  const among = of === 1 ? [] : [sql`cityHash64(trace_id) % ${bind.uint(of)} = ${bind.uint(rest)}`]
  const columns = join([sql`response_model, request_model`, ...Object.values(SPAN_TOKENS)], sql`, `)
  const heirs = spansOf(window, [HAS_MODEL, sql`agent_name = ''`, ...among])
  return sql`SELECT place, ${TOKENS} FROM (SELECT cityHash64(trace_id) AS trace, ${columns} ${heirs}) AS heirs
    JOIN (
      SELECT cityHash64(trace_id) AS trace, argMin(${placeOf(billed)}, started_at) AS place
      ${spansOf(window, [sql`agent_name != ''`, ...among])} GROUP BY trace
    ) AS named USING (trace) ${BY_MODEL}`
}

/** Dollars by name or version; those without a known price are missing. */
export async function costsOfAgents(
  reader: AgentReader,
  window: Window,
  billed: Billed,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const keys = 'names' in billed ? billed.names : billed.versions
  const costs = new Map<string, number>()
  if (keys.length === 0) return costs
  const [prices, [count]] = await Promise.all([
    reader.prices(window, signal),
    reader.rows<{ named: number }>(
      sql`SELECT count() AS named ${spansOf(window, [sql`agent_name != ''`])}`,
      signal,
    ),
  ])
  const statements = [
    ownTokens(window, billed),
    ...piecesOf(count?.named ?? 0, reader.memoryBytes).map((piece) => inheritedTokens(window, billed, piece)),
  ]
  for (const statement of statements)
    for (const row of await reader.rows<Tokens>(statement, signal)) {
      const { place, prompt, completion, cache_read, cache_creation, ...models } = row
      const { total_cost_usd: cost } = costsOfSpan(
        {
          ...models,
          input_tokens: prompt + cache_read + cache_creation,
          output_tokens: completion,
          cache_read_input_tokens: cache_read,
          cache_creation_input_tokens: cache_creation,
        },
        prices,
      )
      const key = keys[place - 1]!
      if (cost !== null) costs.set(key, (costs.get(key) ?? 0) + cost)
    }
  return costs
}
