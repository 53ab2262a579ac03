/** What screens say of a call. Pure, but for the reads of usage. */

import { queryOptions } from '@tanstack/react-query'
import { type Call, post } from './client'
import { numberOf } from './json'

type Named = Pick<Call, 'op_name' | 'display_name' | 'span_name'> & { attributes?: Call['attributes'] }

/**
 * The name that somebody gave, else the one that an exporter sent, of which the op has only letters and digits in lower
 * case, else that of the op.
 */
export function nameOf({ op_name: op, display_name: given, span_name: sent, attributes }: Named): string {
  if (given) return given
  const span = sent ?? (attributes?.otel_span as { name?: unknown } | undefined)?.name
  if (typeof span === 'string' && span !== '') return span
  const [, name] = /\/op\/([^:/]+):[^/]*$/.exec(op) ?? []
  return name === undefined ? op : unescaped(name)
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What calls of an op may be named: any version of it, or its name as it stands. @param op its name, or a ref */
export const opNames = (project: string, op: string): string[] =>
  op.startsWith('weave:///') ? [op] : [`weave:///${project}/op/${encodeURIComponent(op)}:*`, op]

/** A version of an op. */
export interface OpVersion {
  project: string
  name: string
  digest: string
}

/** What made the call; undefined if nobody published it. */
export function opOf({ op_name: op }: Pick<Call, 'op_name'>): OpVersion | undefined {
  const [, project = '', name = '', digest = ''] =
    /^weave:\/\/\/([^/]+\/[^/]+)\/op\/([^:/]+):(\w+)$/.exec(op) ?? []
  if (digest === '') return undefined
  return { project: unescaped(project), name: unescaped(name), digest }
}

export type Status = 'error' | 'running' | 'success'

export function statusOf({ exception, ended_at: ended }: Pick<Call, 'exception' | 'ended_at'>): Status {
  if (exception) return 'error'
  return ended ? 'success' : 'running'
}

/** ms; until now while it runs. */
export function latencyOf({ started_at: from, ended_at: to }: Pick<Call, 'started_at' | 'ended_at'>): number {
  return (to ? Date.parse(to) : Date.now()) - Date.parse(from)
}

/** ms until the first part of the answer; undefined: unknown. */
export function firstTokenOf({ summary }: Pick<Call, 'summary'>): number | undefined {
  const { time_to_first_token_ms: ms } = (summary?.weave ?? {}) as { time_to_first_token_ms?: unknown }
  return typeof ms === 'number' ? ms : undefined
}

/** The first model that its usage names; undefined: none. */
export const modelOf = ({ summary }: Pick<Call, 'summary'>): string | undefined =>
  Object.keys((summary?.usage as object | undefined) ?? {})[0]

/** What a call used itself, without those below it; absent: it says nothing, or 0. */
export interface OwnUsage {
  tokens?: number
  input_tokens?: number
  output_tokens?: number
  /** of what has a price */
  cost?: number
}

type Counts = Record<string, unknown>

const number = (value: unknown): number | undefined =>
  Number.isFinite(numberOf(value)) ? numberOf(value) : undefined
const sum = (values: readonly (number | undefined)[]): number | undefined =>
  values.reduce((all, one) => (one === undefined ? all : (all ?? 0) + one), undefined)
const inputOf = (usage: Counts) => number(usage.prompt_tokens) ?? number(usage.input_tokens)
const outputOf = (usage: Counts) => number(usage.completion_tokens) ?? number(usage.output_tokens)
const priceOf = (price: Counts) =>
  sum(Object.entries(price).flatMap(([name, value]) => (name.endsWith('_total_cost') ? [number(value)] : [])))

/** The same numbers that lists are sorted and filtered by. Costs are there if they were asked for. */
export function ownUsageOf({ summary }: Pick<Call, 'summary'>): OwnUsage {
  const { usage = {}, weave = {} } = (summary ?? {}) as {
    usage?: Record<string, Counts>
    weave?: { costs?: Record<string, Counts> }
  }
  const all = Object.values(usage)
  const tokens = sum(all.map((one) => number(one.total_tokens) || sum([inputOf(one), outputOf(one)])))
  const [input, output] = [sum(all.map(inputOf)), sum(all.map(outputOf))]
  const cost =
    sum(Object.values(weave.costs ?? {}).map(priceOf)) ?? sum(all.map((one) => number(one.total_cost)))
  return {
    ...(tokens && { tokens }),
    ...(input && { input_tokens: input }),
    ...(output && { output_tokens: output }),
    ...(cost !== undefined && { cost }),
  }
}

export interface Usage {
  tokens: number
  /** undefined: no price is known */
  cost: number | undefined
}

/** Tokens and cost of calls and all below them, by id. */
export const usageQuery = (project: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['usage', project, ...ids],
    staleTime: 60_000,
    enabled: ids.length > 0,
    queryFn: async ({ signal }): Promise<Map<string, Usage>> => {
      const { call_usage: usage } = await post(
        '/calls/usage',
        { project_id: project, call_ids: [...ids], include_costs: true, limit: 100_000 },
        signal,
      )
      return new Map(Object.entries(usage).map(([id, models]) => [id, sumOf(Object.values(models))]))
    },
  })

type OfModel = Awaited<ReturnType<typeof post<'/calls/usage'>>>['call_usage'][string][string]

function sumOf(models: readonly OfModel[]): Usage {
  let tokens = 0
  let cost: number | undefined
  for (const one of models) {
    tokens += one.total_tokens || one.prompt_tokens + one.completion_tokens
    for (const part of [
      one.prompt_tokens_total_cost,
      one.completion_tokens_total_cost,
      one.cache_read_input_tokens_total_cost,
      one.cache_creation_input_tokens_total_cost,
    ])
      if (part !== null) cost = (cost ?? 0) + part
  }
  return { tokens, cost }
}
