/**
 * The stamps of buckets of statistics as they are now (`kept-buckets.ts`): by a statement over the calls of the span, or,
 * where that takes long, put together from the slices of time that each part of the table has.
 */
import { KeptParts, type Reader } from '../../domain/calls/read/kept-parts.js'
import type { Span } from '../../domain/calls/read/span.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { merged, rangesOf } from './kept-buckets.js'
import { runningSlices, SLICE, type Slices, slicesOfParts, stampOf, stampsStatement } from './stamps.js'

/** Slices of parts that are kept, some 60 bytes each, and those of one project: thirty days in a hundred parts. */
const MOST = 600_000
const MOST_OF_PROJECT = MOST / 4

/** Stamps by bucket, which is the start in seconds. An empty bucket has none. */
export type Stamps = ReadonlyMap<number, string>

export class BucketStamps {
  private readonly kept: KeptParts<Slices>

  constructor(
    store: Store,
    private readonly reader: Reader,
    quickMs?: number,
  ) {
    this.kept = new KeptParts(store, reader, slicesOfParts, {
      most: MOST,
      mostOfProject: MOST_OF_PROJECT,
      weigh: ({ slices }) => 1 + slices.length,
      ...(quickMs !== undefined && { quickMs }),
    })
  }

  /** @param projectId internal */
  of(projectId: string, span: Span, signal: AbortSignal): Promise<Stamps> {
    const table = async (): Promise<Stamps> => {
      const statement = stampsStatement(projectId, span, merged(rangesOf(span)))
      const rows = await this.reader.rows<{ bucket: number; stamp: string }>(statement, signal)
      return new Map(rows.map(({ bucket, stamp }) => [Number(bucket), stamp]))
    }
    const running = async () => {
      const rows = await this.reader.rows<Slices & { prices: string }>(runningSlices(projectId), signal)
      return rows[0]!
    }
    const together = (parts: readonly Slices[], open: Slices & { prices: string }) =>
      stampsOf(span, [open, ...parts], open.prices)
    return this.kept.answer(projectId, { table, running, together }, signal)
  }
}

function stampsOf(span: Span, all: readonly Slices[], prices: string): Stamps {
  const sums = new Map<number, { number: number; versions: bigint }>()
  for (const one of all)
    for (const [i, slice] of one.slices.entries()) {
      const sum = sums.get(slice) ?? { number: 0, versions: 0n }
      sum.number += one.numbers[i]!
      sum.versions += BigInt(one.sums[i]!)
      sums.set(slice, sum)
    }
  const stamps = new Map<number, string>()
  for (const [i, { from, to }] of rangesOf(span).entries()) {
    const [first, end] = [from / (SLICE * 1e6), to / (SLICE * 1e6)]
    // Of a bucket that slices do not make up, such as the last one up to now, this is no stamp.
    let stamp = Number.isInteger(first) && Number.isInteger(end) ? undefined : 'unknown'
    let [number, versions] = [0, 0n]
    for (let slice = Math.ceil(first); slice < end && stamp === undefined; slice++) {
      const sum = sums.get(slice)
      number += sum?.number ?? 0
      versions += sum?.versions ?? 0n
    }
    if (number > 0) stamp = stampOf(number, versions, prices)
    if (stamp !== undefined) stamps.set(span.starts[i]!, stamp)
  }
  return stamps
}
