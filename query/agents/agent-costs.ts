/**
 * What agents or the versions of one cost: tokens are summed by model in the store and priced here, since a price for each
 * span costs the store more than all else. A span that names no agent counts for the agent of its trace
 * (`identityStatement`).
 */
import { COUNTS } from '../../domain/calls/one-answer.js'
import { billedTokens } from '../../domain/costs/expression.js'
import type { Prices } from '../../domain/costs/pricing.js'
import { bind, commaList, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { costsOfSpan, SPAN_TOKENS } from './costs.js'
import { rowsOfSpans, spansOf, type Window } from './identity.js'
import { inTracesNaming } from './named-spans.js'
import type { AgentReader } from './read.js'

/** Agents by name, or some versions of one agent. */
export type Billed = { names: readonly string[] } | { name: string; versions: readonly string[] }

/** The tokens of a model, of the agent or version at `place`, counted from 1. */
interface Tokens {
  place: number
  response_model: string
  request_model: string
  /** the fewest tokens of a prompt at the same rates */
  size: number
  /** without those of the cache */
  prompt: number
  completion: number
  cache_read: number
  cache_creation: number
}

/** Spans without a model have no price, and an answer costs once. */
const HAS_MODEL = sql`(response_model != '' OR request_model != '') AND ${COUNTS}`

const TOKENS = sql`sum(${billedTokens('prompt_tokens_total_cost', SPAN_TOKENS)}) AS prompt,
  sum(${SPAN_TOKENS.completion_tokens}) AS completion, sum(${SPAN_TOKENS.cache_read_input_tokens}) AS cache_read,
  sum(${SPAN_TOKENS.cache_creation_input_tokens}) AS cache_creation`

/** Tokens by model and by the size of prompts, as far as prices tell sizes apart. */
function tokensOf(place: Sql, sizes: Sizes): Sql {
  const size = sql`roundDown(${SPAN_TOKENS.prompt_tokens}, ${bind.uints(sizes)})`
  return sql`SELECT ${place} AS place, response_model, request_model, ${size} AS size, ${TOKENS}`
}
const BY_MODEL = sql`GROUP BY place, response_model, request_model, size HAVING place > 0`

/** The fewest tokens of prompts that have rates of their own, from 0. */
export type Sizes = Prices['bounds']['sizes']

/** The place of a span's own agent or version among those that are billed; 0: none of them. */
function placeOf(billed: Billed): Sql {
  const among = (column: Sql, keys: readonly string[]) =>
    sql`transform(toString(${column}), ${bind.strings(keys)}, ${bind.uints(keys.map((_, i) => i + 1))}, toUInt64(0))`
  return 'names' in billed
    ? among(sql`agent_name`, billed.names)
    : sql`if(agent_name = ${bind.string(billed.name)}, ${among(sql`agent_version`, billed.versions)}, 0)`
}

/** Tokens of spans that name their agent. */
export function ownTokens(window: Window, billed: Billed, sizes: Sizes): Sql {
  const spans = spansOf(window, [HAS_MODEL, sql`agent_name != ''`])
  return sql`${tokensOf(placeOf(billed), sizes)} ${spans} ${BY_MODEL}`
}

/** Bytes of a statement for each trace that it tells apart, in its tables and the join: 300 with a million in one thread, more in several. */
const TRACE_BYTES = 600

/** A piece of all traces: the hashes that leave `rest` when divided by `of`. */
interface Piece {
  rest: number
  of: number
}

/** Pieces that a statement holds in memory each. @param traces about how many name their agent */
function piecesOf(traces: number, memoryBytes: number): Piece[] {
  const of = Math.max(1, Math.ceil((traces * TRACE_BYTES) / memoryBytes))
  return Array.from({ length: of }, (_, rest) => ({ rest, of }))
}

/**
 * Tokens of spans whose agent only their trace names. 64 bits tell traces apart, in a quarter of the memory of their
 * ids: of ten million traces two are alike once in 400,000 projects.
 */
export function inheritedTokens(window: Window, billed: Billed, { rest, of }: Piece, sizes: Sizes): Sql {
  const among = of === 1 ? [] : [sql`cityHash64(trace_id) % ${bind.uint(of)} = ${bind.uint(rest)}`]
  const columns = commaList([sql`response_model, request_model`, ...Object.values(SPAN_TOKENS)])
  const heirs = spansOf(window, [HAS_MODEL, sql`agent_name = ''`, ...among])
  return sql`${tokensOf(sql`place`, sizes)} FROM (SELECT cityHash64(trace_id) AS trace, ${columns} ${heirs}) AS heirs
    JOIN (
      SELECT cityHash64(trace_id) AS trace, argMin(${placeOf(billed)}, started_at) AS place
      ${spansOf(window, [sql`agent_name != ''`, ...among])} GROUP BY trace
    ) AS named USING (trace) ${BY_MODEL}`
}

/** Dollars by name or version; those without a known price are missing. */
export async function costsOfAgents(
  reader: AgentReader,
  all: Window,
  billed: Billed,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const keys = 'names' in billed ? billed.names : billed.versions
  const costs = new Map<string, number>()
  if (keys.length === 0) return costs
  // Of one agent, other traces tell nothing.
  const window = 'names' in billed ? all : inTracesNaming(all, 'agent_name', [billed.name])
  const [prices, [count]] = await Promise.all([
    reader.prices(window, signal),
    // Each piece reads all spans once more, so traces are counted: they have ten spans or a hundred.
    reader.rows<{ traces: number }>(
      sql`SELECT toFloat64(uniq(trace_id)) AS traces ${rowsOfSpans(window, [sql`agent_name != ''`])}`,
      signal,
    ),
  ])
  const { sizes } = prices.bounds
  const statements = [
    ownTokens(window, billed, sizes),
    ...piecesOf(count?.traces ?? 0, reader.memoryBytes).map((piece) =>
      inheritedTokens(window, billed, piece, sizes),
    ),
  ]
  for (const statement of statements)
    for (const row of await reader.rows<Tokens>(statement, signal)) {
      const { place, size, prompt, completion, cache_read, cache_creation, ...models } = row
      const { total_cost_usd: cost } = costsOfSpan(
        {
          ...models,
          input_tokens: prompt + cache_read + cache_creation,
          output_tokens: completion,
          cache_read_input_tokens: cache_read,
          cache_creation_input_tokens: cache_creation,
        },
        prices,
        size,
      )
      const key = keys[place - 1]!
      if (cost !== null) costs.set(key, (costs.get(key) ?? 0) + cost)
    }
  return costs
}
