/**
 * The columns that say where and by what a span was made, and how long the first part of its answer took. What the span
 * doesn't say, its resource may.
 */
import type { CallBlock } from '../../domain/calls/block.js'
import { MAX_LABEL, microsToFirstToken } from '../../domain/calls/labels.js'
import {
  FIRST_TOKEN,
  LABELS,
  type Label,
  RESOURCE_LABELS,
  type TimeUnit,
} from '../../domain/conventions/table.js'
import type { AttributeLookup } from './attribute-lookup.js'

/** By the place in {@link RESOURCE_LABELS}; empty: the resource says nothing. */
export type ResourceLabels = readonly string[]
export const NO_LABELS: ResourceLabels = RESOURCE_LABELS.map(() => '')

/** Bytes of a time; longer values are none. */
const MAX_TIME = 64

/** Each with its place in {@link RESOURCE_LABELS}. */
const TARGETS = Object.entries(LABELS).map(
  ([name, target]) => [name as Label, target, (RESOURCE_LABELS as readonly string[]).indexOf(name)] as const,
)

/** What a JSON value says of the time to the first token: µs, or 0. @param started µs since the epoch */
export function firstTokenOf(json: string, unit: TimeUnit | undefined, started: number): number {
  if (Buffer.byteLength(json) > MAX_TIME) return 0
  return microsToFirstToken(json.startsWith('"') ? String(JSON.parse(json)) : json, unit, started)
}

/** Sets the columns of the row. @param started µs since the epoch */
export function writeLabels(
  block: CallBlock,
  lookup: AttributeLookup,
  ofResource: ResourceLabels,
  started: number,
): void {
  for (const [name, target, place] of TARGETS) {
    const inherited = ofResource[place] ?? ''
    block[name].text(lookup.text(target)?.slice(0, MAX_LABEL) ?? inherited)
  }
  const found = lookup.find(FIRST_TOKEN)
  block.first_token.int(found ? firstTokenOf(found.json, found.place.reading.unit, started) : 0)
}
