/**
 * The counts of tokens of a call and what its sender says it cost, and the summary that holds them. Knows their keys'
 * targets, not the other columns.
 */

import { NO_MODEL } from '../../contract/usage-counts.js'
import type { StringColumn } from '../../domain/calls/column.js'
import { COSTS, SYNONYMS, USAGE } from '../../domain/conventions/table.js'
import { viewOf } from '../../platform/bytes/bytes.js'
import type { AttributeLookup } from './attribute-lookup.js'
import type { AttributePlan } from './attribute-plan.js'
import { writeNatural } from './number.js'

const OPENING = 123
const COMMA = 44

/** The names of counts and costs in `summary.usage`, in the order they are written. */
const COUNTS = Object.keys(USAGE) as (keyof typeof USAGE)[]
const namesOf = (table: object) => Object.keys(table).map((name) => viewOf(Buffer.from(`"${name}":`)))
const COUNT_NAMES = namesOf(USAGE)
const COST_NAMES = namesOf(COSTS)
const [[INPUT, PROMPT], [OUTPUT, COMPLETION]] = SYNONYMS.map((names) =>
  names.map((name) => COUNTS.indexOf(name)),
) as [[number, number], [number, number]]
const TOTAL = COUNTS.indexOf('total_tokens')
const CACHED = [COUNTS.indexOf('cache_creation_input_tokens'), COUNTS.indexOf('cache_read_input_tokens')]

export class Usage {
  /** By place in `COUNTS`, or -1. */
  readonly #counts = new Float64Array(COUNTS.length)
  /** Beyond which no count is set; the total is never beyond. */
  #end = COUNTS.length
  readonly #costs: (string | undefined)[] = COST_NAMES.map(() => undefined)
  #hasCosts = false

  /** Finds the counts and costs of a span; returns whether there are any. */
  find(lookup: AttributeLookup, { usage, costs }: AttributePlan): boolean {
    this.#hasCosts = false
    if (usage.length === 0 && costs.length === 0) return false
    const counts = this.#counts
    for (let i = 0; i < this.#end; i++) counts[i] = -1
    this.#end = TOTAL + 1
    let found = false
    let isUncached = false
    for (let i = 0; i < usage.length; i++) {
      const { number, sources } = usage[i]!
      const source = lookup.first(sources)
      const count = source && lookup.asCount()
      if (count === undefined) continue
      isUncached ||= source!.uncached
      counts[number] = count
      if (number >= this.#end) this.#end = number + 1
      found = true
    }
    if (isUncached && counts[INPUT]! >= 0 && counts[TOTAL] !== counts[INPUT]! + Math.max(0, counts[OUTPUT]!))
      for (const cached of CACHED) counts[INPUT]! += Math.max(0, counts[cached]!)
    if (counts[INPUT]! >= 0) counts[PROMPT] = -1
    if (counts[OUTPUT]! >= 0) counts[COMPLETION] = -1
    if (counts[TOTAL]! < 0) counts[TOTAL] = totalOf(counts)
    if (costs.length > 0) this.#findCosts(lookup, costs)
    return found || this.#hasCosts
  }

  #findCosts(lookup: AttributeLookup, targets: AttributePlan['costs']): void {
    this.#costs.fill(undefined)
    for (const { number, sources } of targets) {
      const cost = lookup.amount(sources)
      if (cost === undefined) continue
      this.#costs[number] = cost
      this.#hasCosts = true
    }
  }

  /** Appends the summary that has what was found, under the JSON string `[from, to)` of `model`, if there is one. */
  write(summary: StringColumn, model: DataView, from: number, to: number): void {
    summary.open()
    summary.utf8('{"usage":{')
    if (from < to && model.getUint8(from) === 34) summary.copyView(model, from, to)
    else summary.utf8(`"${NO_MODEL}"`)
    summary.byte(58)
    let separator = OPENING
    for (let i = 0; i < this.#end; i++) {
      const count = this.#counts[i]!
      if (count < 0) continue
      summary.byte(separator)
      separator = COMMA
      const name = COUNT_NAMES[i]!
      summary.copyView(name, 0, name.byteLength)
      writeNatural(summary, count)
    }
    if (this.#hasCosts) this.#writeCosts(summary, separator)
    summary.utf8('}}}')
    summary.close()
  }

  #writeCosts(summary: StringColumn, opening: number): void {
    let separator = opening
    for (const [i, cost] of this.#costs.entries()) {
      if (cost === undefined) continue
      summary.byte(separator)
      separator = COMMA
      const name = COST_NAMES[i]!
      summary.copyView(name, 0, name.byteLength)
      summary.utf8(cost)
    }
  }
}

/** The total where none was sent but both its parts were; else -1. */
function totalOf(counts: Float64Array): number {
  if (counts[PROMPT]! >= 0 && counts[COMPLETION]! >= 0) return counts[PROMPT]! + counts[COMPLETION]!
  return counts[INPUT]! >= 0 && counts[OUTPUT]! >= 0 ? counts[INPUT]! + counts[OUTPUT]! : -1
}
