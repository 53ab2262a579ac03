/**
 * Lists of any length and width: first the keys of some rows and how wide they are, then these rows in slices that fit
 * into memory, the next slice while the one before goes out. So a list needs as much memory at its end as at its
 * beginning, its first rows come at once, and a slow reader holds no statement between two slices.
 */
import type { ClickHouseSettings } from '@clickhouse/client'
import { pieces } from '../../../platform/clickhouse/pieces.js'
import type { Sql } from '../../../platform/clickhouse/sql.js'
import type { Prices } from '../../costs/pricing.js'
import type { LineOptions } from './line.js'
import { linesOf, type RowFilter } from './lines.js'
import { MovedCalls, type Stretch } from './moved-calls.js'
import {
  callsStatement,
  type Found,
  isWide,
  type Key,
  keysStatement,
  nextKeysStatement,
  type Page,
  pageStatement,
  planOf,
  rangeStatement,
  rowsStatement,
  type Slice,
  weightStatement,
} from './page.js'
import { longList } from './settings.js'
import { foundIn, slicesOf, someLines, widestOf } from './slices.js'

/** Runs a statement under the settings of reads and these. */
type Run = (
  statement: Sql,
  format: string,
  settings: ClickHouseSettings,
  signal: AbortSignal,
) => Promise<AsyncIterable<Uint8Array>>

/** Keys that are looked for at first, and once it is known that the list is long. */
const FIRST_KEYS = 1000
const MOST_KEYS = 64_000
/** Width of the first slice, so that its rows come soon. */
const FIRST_BYTES = 4 << 20
/** Part of a slice's lines after which the next one is begun. */
const NEAR_END = 0.9
/** Rows that one statement names: it compares each with each. */
const NAMED = 5000
/** What a sort on disk holds of each of its files: no fewer rows than these. */
const SORTED_ROWS = 128
/** Rows of calls that have moved which one statement reads, and how wide they may be: nobody has looked. */
const SOUGHT = 100
const SOUGHT_BYTES = 1 << 20

export class LongList {
  /**
   * @param memoryBytes of one statement
   * @param prices where lines say what calls cost
   */
  constructor(
    private readonly run: Run,
    private readonly memoryBytes: number,
    private readonly prices?: Prices,
  ) {}

  /** The lines of `page`. */
  async *lines(page: Page, line: LineOptions, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const own = new AbortController()
    const until = AbortSignal.any([signal, own.signal])
    try {
      const plan = planOf(page)
      if (plan === 'walk') yield* this.alongKey(page, line, until)
      else {
        const width = plan === 'sort' ? await this.sortedWidth(page, line, until) : undefined
        if (width === undefined) yield* this.byKeys(page, line, until)
        else yield* await this.written(pageStatement(page, line), line, width, until)
      }
    } finally {
      own.abort()
    }
  }

  private async *alongKey(page: Page, line: LineOptions, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    // What wide columns say is known with the rows alone: then they are counted as they come.
    const isExact = !page.conditions.some(isWide)
    let weight = Math.min(FIRST_BYTES, this.sliceBytes)
    const limitOf = () => {
      const limit = { weight, rows: MOST_KEYS }
      weight = this.sliceBytes
      return limit
    }
    const { direction } = page.order.terms[0]!
    const moved = new MovedCalls(page.projectId, direction, (statement) => this.found(statement, {}, signal))
    const begun = handled(moved.begin())
    const walk = new Walk(page, isExact)
    const keys = this.keysAlong(page, line, walk, moved, begun, signal)
    const slices = slicesOf(keys, limitOf, isExact ? undefined : weightOfCandidate)
    // Where a limit ends the keys, more rows may lie behind them.
    const isWhole = page.limit === undefined && page.offset === 0
    const bounded = { isFirst: false, isLast: false }
    const lines = this.inOrder(
      slices,
      line,
      async (slice) => {
        // A list that is one statement meets each call once.
        if (isWhole && slice.isFirst && slice.isLast)
          return { statement: rangeStatement(page, line, slice), calls: undefined }
        await begun
        return {
          statement: rangeStatement(page, line, isWhole ? slice : { ...slice, ...bounded }),
          calls: alongWalk(moved, walk.stretch(slice)),
        }
      },
      (ids) => callsStatement(page.projectId, ids, page.conditions, line),
      signal,
    )
    if (page.limit === undefined && (isExact || page.offset === 0)) yield* lines
    else yield* someLines(lines, isExact ? 0 : page.offset, page.limit)
  }

  /** The page's rows along the key, in pieces; what may be its rows where that isn't known exactly. */
  private async *keysAlong(
    page: Page,
    line: LineOptions,
    walk: Walk,
    moved: MovedCalls,
    begun: Promise<void>,
    signal: AbortSignal,
  ): AsyncGenerator<Found[]> {
    // Where rows are counted, none may be counted at two places.
    const isCounted = walk.isExact && page.limit !== undefined
    if (isCounted) await begun
    let left = isCounted ? page.limit! : Number.POSITIVE_INFINITY
    let offset = walk.isExact ? page.offset : 0
    let after: Found | undefined
    for (let most = isCounted ? MOST_KEYS : FIRST_KEYS; left > 0; most = MOST_KEYS) {
      const asked = Math.min(most, left)
      const statement = nextKeysStatement(page, line, asked, offset, after)
      let count = 0
      for await (const found of await this.found(statement, {}, signal)) {
        if (isCounted && count === 0) await moved.look()
        count += found.length
        after = found.at(-1)
        const rows = moved.isEmpty ? found : found.filter(({ id }) => !moved.has(id))
        left -= rows.length
        yield rows
      }
      walk.isAtEnd = count < asked
      if (walk.isAtEnd) return
      offset = 0
    }
  }

  private async *byKeys(page: Page, line: LineOptions, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { projectId } = page
    const found = await this.found(keysStatement(page, line), longList(this.memoryBytes, 1), signal)
    const slices = slicesOf(found, () => ({ weight: this.sliceBytes, rows: NAMED }))
    yield* this.inOrder(
      slices,
      line,
      async ({ rows }) => ({ statement: rowsStatement(projectId, rows, line), calls: byName(rows) }),
      (ids) => callsStatement(projectId, ids, [], line),
      signal,
    )
  }

  /**
   * The lines of each slice, at its end those of its calls that its statement did not meet. The statement of the next one
   * is begun when this one's end is near, and no sooner: it would wait.
   */
  private async *inOrder(
    slices: AsyncGenerator<Slice>,
    line: LineOptions,
    readOf: (slice: Slice) => Promise<SliceRead>,
    soughtOf: (ids: readonly string[]) => Sql,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const begin = async (): Promise<Begun | undefined> => {
      const { value: slice, done } = await slices.next()
      if (done) return undefined
      const { statement, calls } = await readOf(slice)
      const lines = await this.written(statement, line, widestOf(slice.rows), signal, calls)
      return { lines, calls, width: slice.rows.reduce((sum, { width }) => sum + width, 0) }
    }
    let next: Promise<Begun | undefined> | undefined
    try {
      for (let begun = await begin(); begun; begun = await next) {
        next = undefined
        let bytes = 0
        for await (const piece of begun.lines) {
          bytes += piece.length
          if (bytes >= NEAR_END * begun.width) next ??= handled(begin())
          yield piece
        }
        next ??= handled(begin())
        for (const ids of pieces((await begun.calls?.missing()) ?? [], SOUGHT))
          yield* await this.written(soughtOf(ids), line, SOUGHT_BYTES, signal)
      }
    } finally {
      await slices.return(undefined).catch(() => undefined)
    }
  }

  /** The width of the widest line, where all are so narrow that the engine can sort whole rows on disk. */
  private async sortedWidth(page: Page, line: LineOptions, signal: AbortSignal): Promise<number | undefined> {
    const pieces = await this.run(weightStatement(page, line), 'RowBinary', {}, signal)
    const bytes = Buffer.concat(await all(pieces))
    const [widest, total] = [Number(bytes.readBigUInt64LE(0)), Number(bytes.readBigUInt64LE(8))]
    const files = 1 + total / (this.memoryBytes / 4)
    return 2 * files * SORTED_ROWS * widest <= this.memoryBytes / 2 ? Math.max(widest, 1) : undefined
  }

  private async found(
    statement: Sql,
    settings: ClickHouseSettings,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Found[]>> {
    return foundIn(await this.run(statement, 'RowBinary', settings, signal))
  }

  private get sliceBytes(): number {
    return Math.floor(this.memoryBytes / 8)
  }

  /** The lines of a statement's rows, of which the widest is so wide. */
  private async written(
    statement: Sql,
    line: LineOptions,
    width: number,
    signal: AbortSignal,
    filter?: RowFilter,
  ): Promise<AsyncIterable<Uint8Array>> {
    const settings = longList(this.memoryBytes, width)
    return linesOf(await this.run(statement, 'RowBinary', settings, signal), line, this.prices, filter)
  }
}

/** Which calls a slice shows. */
interface SliceCalls extends RowFilter {
  /** Once all rows have come: ids of its calls that were not among them, for they are elsewhere by now. */
  missing(): Promise<readonly string[]>
}

interface SliceRead {
  statement: Sql
  /** undefined: those that the statement meets */
  calls: SliceCalls | undefined
}

/** How far a list along the key has come. */
class Walk {
  private last: Key | undefined
  /** no key is behind those that were found */
  isAtEnd = false

  /** @param isExact its keys are those of its rows */
  constructor(
    private readonly page: Page,
    readonly isExact: boolean,
  ) {}

  /** The places from the slice before up to the end of this one. */
  stretch({ rows, isFirst, isLast }: Slice): Stretch {
    const after = this.last
    this.last = rows.at(-1)
    const isCut = isFirst && this.isExact && this.page.offset > 0
    return { after, from: isCut ? rows[0] : undefined, to: isLast && this.isAtEnd ? undefined : this.last }
  }
}

/** Each call at the place that it had when the list began. */
function alongWalk(moved: MovedCalls, stretch: Stretch): SliceCalls {
  let begun: Promise<void> | undefined
  const begin = () => (begun ??= moved.look())
  return {
    begin,
    get takes() {
      return moved.isEmpty ? undefined : (id: string) => moved.takes(id, stretch)
    },
    missing: async () => {
      await begin()
      return moved.missing(stretch)
    },
  }
}

/** The calls that were found, each by its name. */
function byName(rows: readonly Found[]): SliceCalls {
  const left = new Set(rows.map(({ id }) => id))
  return {
    begin: async () => undefined,
    takes: (id) => left.delete(id),
    missing: async () => [...left],
  }
}

/**
 * Few of the rows that may be a page's are mostly its rows. Where more are, the engine sorts them on disk, which very wide
 * ones would not fit into.
 */
function weightOfCandidate({ width }: Found): number {
  return width < 64 << 10 ? width / 8 : width
}

/** A slice whose statement has begun. */
interface Begun {
  lines: AsyncIterable<Uint8Array>
  calls: SliceCalls | undefined
  /** of its lines, about */
  width: number
}

/** `promise`, whose failure is heard of when it is awaited. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const piece of pieces) found.push(piece)
  return found
}
