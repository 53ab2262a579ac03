/**
 * The columns that say where and by what a span was made, and how long the first part of its answer took. What the span
 * doesn't say, its resource may.
 */
import type { CallBlock } from '../../domain/calls/block.js'
import { MAX_LABEL, microsToFirstToken } from '../../domain/calls/labels.js'
import { type Label, RESOURCE_LABELS, type TimeUnit } from '../../domain/conventions/table.js'
import { unescapedAt } from '../../platform/json/text.js'
import type { AttributeLookup } from './attribute-lookup.js'
import type { AttributePlan } from './attribute-plan.js'

/** By the place in {@link RESOURCE_LABELS}; empty: the resource says nothing. */
export type ResourceLabels = readonly string[]
export const NO_LABELS: ResourceLabels = RESOURCE_LABELS.map(() => '')

const QUOTE = 34
/** Longer values are no time. */
const MAX_TIME = 64

/** What the JSON value `[from, to)` says of the time to the first token: µs, or 0. @param started µs since the epoch */
export function firstTokenAt(
  buf: Buffer,
  from: number,
  to: number,
  unit: TimeUnit | undefined,
  started: number,
): number {
  if (to - from > MAX_TIME) return 0
  const text = buf[from] === QUOTE ? unescapedAt(buf, from + 1, to - 1) : buf.toString('latin1', from, to)
  return microsToFirstToken(text, unit, started)
}

export class LabelColumns {
  constructor(
    private readonly block: CallBlock,
    private readonly lookup: AttributeLookup,
  ) {}

  /** Sets the columns of the row. @param started µs since the epoch */
  write({ labels, firstToken }: AttributePlan, ofResource: ResourceLabels, started: number): void {
    const { block, lookup } = this
    for (let i = 0; i < labels.length; i++) {
      const text = lookup.text(labels[i]!.sources)
      if (text !== undefined) block[labels[i]!.name as Label].text(text.slice(0, MAX_LABEL))
    }
    if (ofResource !== NO_LABELS)
      for (let i = 0; i < RESOURCE_LABELS.length; i++) {
        const column = block[RESOURCE_LABELS[i]!]
        if (column.count === block.rows) column.text(ofResource[i]!)
      }
    const source = firstToken.length === 0 ? undefined : lookup.first(firstToken)
    if (source !== undefined)
      block.first_token.int(firstTokenAt(lookup.buf, lookup.from, lookup.to, source.unit, started))
  }
}
