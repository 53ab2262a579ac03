/** The counts of tokens of a call, and the summary that holds them. Knows their keys' targets, not the other columns. */

import type { StringColumn } from '../../domain/calls/column.js'
import { viewOf } from '../../platform/bytes/bytes.js'
import type { AttributeLookup } from './attribute-lookup.js'
import type { Named } from './attribute-plan.js'
import { USAGE_KEYS } from './keys.js'
import { writeNatural } from './number.js'

const OPENING = 123
const COMMA = 44

/** The names of counts in `summary.usage`, in the order they are written. */
const COUNTS = Object.keys(USAGE_KEYS)
const COUNT_NAMES = COUNTS.map((name) => viewOf(Buffer.from(`"${name}":`)))
const PROMPT = COUNTS.indexOf('prompt_tokens')
const COMPLETION = COUNTS.indexOf('completion_tokens')
const INPUT = COUNTS.indexOf('input_tokens')
const OUTPUT = COUNTS.indexOf('output_tokens')
const TOTAL = COUNTS.indexOf('total_tokens')

export class Usage {
  /** By place in `COUNTS`, or -1. */
  readonly #counts = new Float64Array(COUNTS.length)

  /** Finds the counts of a span; returns whether there are any. */
  find(lookup: AttributeLookup, targets: readonly Named[]): boolean {
    if (targets.length === 0) return false
    const counts = this.#counts.fill(-1)
    let found = false
    for (const { name, sources } of targets) {
      const count = lookup.count(sources)
      if (count === undefined) continue
      counts[COUNTS.indexOf(name)] = count
      found = true
    }
    if (counts[TOTAL]! < 0) counts[TOTAL] = totalOf(counts)
    return found
  }

  /** Appends the summary that has the counts found, under the JSON string `[from, to)` of `model`, if there is one. */
  write(summary: StringColumn, model: DataView, from: number, to: number): void {
    summary.open()
    summary.utf8('{"usage":{')
    if (from < to && model.getUint8(from) === 34) summary.copyView(model, from, to)
    else summary.utf8('"usage"')
    summary.byte(58)
    let separator = OPENING
    for (let i = 0; i < COUNTS.length; i++) {
      const count = this.#counts[i]!
      if (count < 0) continue
      summary.byte(separator)
      separator = COMMA
      const name = COUNT_NAMES[i]!
      summary.copyView(name, 0, name.byteLength)
      writeNatural(summary, count)
    }
    summary.utf8('}}}')
    summary.close()
  }
}

/** The total where none was sent but both its parts were; else -1. */
function totalOf(counts: Float64Array): number {
  if (counts[PROMPT]! >= 0 && counts[COMPLETION]! >= 0) return counts[PROMPT]! + counts[COMPLETION]!
  return counts[INPUT]! >= 0 && counts[OUTPUT]! >= 0 ? counts[INPUT]! + counts[OUTPUT]! : -1
}
