/**
 * Keeps what statements over time found, bucket by bucket, and says which buckets have changed since: those whose stamp
 * differs. A stamp is made of the starts and versions of a bucket's calls. Whatever changes a call in a way that
 * statistics show stores another version of it or takes it away; a new display name does not.
 */
import type { Span } from '../../domain/calls/read/span.js'

/** A part of a span, µs since the epoch; `to` is exclusive. */
export interface Range {
  from: number
  to: number
}

/** What a bucket had when it was read. */
export interface Kept<Row> {
  /** undefined: it was empty */
  stamp: string | undefined
  rows: readonly Row[]
}

/** Rows and empty buckets that are kept, at most: some 50 MB. */
const MOST = 100_000
/** More ranges than this are read as one. */
const MOST_RANGES = 20

export class KeptBuckets<Row> {
  private readonly kept = new Map<string, Kept<Row>>()
  private weight = 0

  /** @param most rows and empty buckets */
  constructor(private readonly most = MOST) {}

  /** The bucket of `question` that is exactly `range`. */
  get(question: string, range: Range): Kept<Row> | undefined {
    const name = nameOf(question, range)
    const found = this.kept.get(name)
    if (found === undefined) return undefined
    // The last of the map are those used last.
    this.kept.delete(name)
    this.kept.set(name, found)
    return found
  }

  set(question: string, range: Range, bucket: Kept<Row>): void {
    const name = nameOf(question, range)
    this.drop(name)
    this.kept.set(name, bucket)
    this.weight += weightOf(bucket)
    for (const oldest of this.kept.keys()) {
      if (this.weight <= this.most) break
      this.drop(oldest)
    }
  }

  private drop(name: string): void {
    const found = this.kept.get(name)
    if (found === undefined) return
    this.kept.delete(name)
    this.weight -= weightOf(found)
  }
}

const nameOf = (question: string, { from, to }: Range) => `${from} ${to} ${question}`
const weightOf = ({ rows }: Kept<unknown>) => Math.max(1, rows.length)

/** What each bucket of a span covers of it. */
export function rangesOf({ starts, start, end }: Span): Range[] {
  return starts.map((from, i) => ({
    from: Math.max(from * 1_000_000, start),
    to: Math.min((starts[i + 1] ?? Number.POSITIVE_INFINITY) * 1_000_000, end),
  }))
}

/** The same time in fewer ranges: neighbours become one, and if there are still too many, all do, with what lies between. */
export function merged(ranges: readonly Range[], most = MOST_RANGES): Range[] {
  const all: Range[] = []
  for (const range of ranges) {
    const last = all.at(-1)
    if (last?.to === range.from) last.to = range.to
    else all.push({ ...range })
  }
  return all.length <= most ? all : [{ from: all[0]!.from, to: all.at(-1)!.to }]
}
