/** The counts of tokens of a call and what its sender says it cost: the summary that holds them. */

import { NO_MODEL } from '../../contract/usage-counts.js'
import { COSTS, SYNONYMS, USAGE } from '../../domain/conventions/table.js'
import { objectText } from '../../platform/json/members.js'
import { type AttributeLookup, countOf } from './attribute-lookup.js'

type Count = keyof typeof USAGE

const COUNTS = Object.entries(USAGE) as [Count, (typeof USAGE)[Count]][]

const COST_TARGETS = Object.entries(COSTS)

/** The counts and costs of a span as JSON; undefined if it has none. */
export function usageOf(lookup: AttributeLookup): string | undefined {
  const said = new Map([...countsOf(lookup)].map(([name, count]) => [name as string, String(count)]))
  for (const [name, target] of COST_TARGETS) {
    const cost = lookup.amount(target)
    if (cost !== undefined) said.set(name, cost)
  }
  return said.size === 0 ? undefined : objectText(said)
}

/** The summary of a span with this usage, under the JSON string of its `model`, if it names one. */
export function summaryOf(usage: string, model: string | undefined): string {
  return `{"usage":{${model?.startsWith('"') ? model : `"${NO_MODEL}"`}:${usage}}}`
}

/** In the order of the table. */
function countsOf(lookup: AttributeLookup): Map<Count, number> {
  const counts = new Map<Count, number>()
  let isUncached = false
  for (const [name, target] of COUNTS) {
    const found = lookup.find(target)
    const count = found && countOf(found.json)
    if (count === undefined) continue
    counts.set(name, count)
    isUncached ||= found!.place.isUncached
  }
  if (isUncached) addCached(counts)
  for (const [kept, double] of SYNONYMS) if (counts.has(kept)) counts.delete(double)
  const total = counts.get('total_tokens') ?? totalOf(counts)
  if (total === undefined) return counts
  counts.set('total_tokens', total)
  return new Map(COUNTS.flatMap(([name]) => (counts.has(name) ? [[name, counts.get(name)!]] : [])))
}

/** Adds what was read from and written to a cache to the count of the input, unless the total says that it is in it. */
function addCached(counts: Map<Count, number>): void {
  const {
    input_tokens: input,
    output_tokens: output = 0,
    total_tokens: total,
    ...cached
  } = Object.fromEntries(counts)
  if (input === undefined || total === input + output) return
  const { cache_creation_input_tokens: written = 0, cache_read_input_tokens: read = 0 } = cached
  counts.set('input_tokens', input + written + read)
}

/** The total where none was sent but both its parts were. */
function totalOf(counts: ReadonlyMap<Count, number>): number | undefined {
  const sum = (a: Count, b: Count) =>
    counts.has(a) && counts.has(b) ? counts.get(a)! + counts.get(b)! : undefined
  return sum('prompt_tokens', 'completion_tokens') ?? sum('input_tokens', 'output_tokens')
}
