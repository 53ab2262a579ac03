/**
 * Lists of any length and width: finds the keys and widths of some rows, then reads these rows in slices that fit into
 * memory, preparing the next slice while the previous one is sent. So a list needs constant memory, its first rows come
 * at once, and a slow reader holds no statement between two slices.
 */
import type { ClickHouseSettings } from '@clickhouse/client'
import { pieces } from '../../../platform/clickhouse/pieces.js'
import type { Sql } from '../../../platform/clickhouse/sql.js'
import type { Prices } from '../../costs/pricing.js'
import type { LineOptions } from './line.js'
import { linesOf, type RowFilter } from './lines.js'
import { MovedCalls, type PlaceRange } from './moved-calls.js'
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

/** Runs a statement with the read settings and these. */
type Run = (
  statement: Sql,
  format: string,
  settings: ClickHouseSettings,
  signal: AbortSignal,
) => Promise<AsyncIterable<Uint8Array>>

/** Keys to find at first, and once the list is known to be long. */
const FIRST_KEYS = 1000
const MOST_KEYS = 64_000
/** Width of the first slice; small, so that its rows come soon. So that no further keys are awaited, it has fewer rows. */
const FIRST_BYTES = 4 << 20
/** The part of a slice's lines after which the next slice is started. */
const NEAR_END = 0.9
/** Most rows named in a statement: the engine compares each with each. */
const NAMED = 5000
/** The fewest rows that a sort on disk holds of each of its files. */
const SORTED_ROWS = 128
/** Moved calls read per statement, and their assumed width, which is unknown. */
const SOUGHT = 100
const SOUGHT_BYTES = 1 << 20

export class LongList {
  /**
   * @param memoryBytes memory limit of a statement
   * @param prices set if lines include costs
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
    // Conditions on wide columns are evaluated when rows are read: then count the rows as they come.
    const isExact = !page.conditions.some(isWide)
    let next = { weight: Math.min(FIRST_BYTES, this.sliceBytes), rows: FIRST_KEYS - 1 }
    const limitOf = () => {
      const limit = next
      next = { weight: this.sliceBytes, rows: MOST_KEYS }
      return limit
    }
    const { direction } = page.order.terms[0]!
    const moved = new MovedCalls(page.projectId, direction, (statement) => this.found(statement, {}, signal))
    const begun = handled(moved.begin())
    const walk = new Walk(page, isExact)
    const keys = this.keysAlong(page, line, walk, moved, begun, signal)
    const slices = slicesOf(keys, limitOf, isExact ? undefined : weightOfCandidate)
    // A limit may end the keys before all rows are found.
    const isWhole = page.limit === undefined && page.offset === 0
    const bounded = { isFirst: false, isLast: false }
    const lines = this.inOrder(
      slices,
      line,
      async (slice) => {
        // A single statement sees each call once.
        if (isWhole && slice.isFirst && slice.isLast)
          return { statement: rangeStatement(page, line, slice), calls: undefined }
        await begun
        return {
          statement: rangeStatement(page, line, isWhole ? slice : { ...slice, ...bounded }),
          calls: alongWalk(moved, walk.range(slice)),
        }
      },
      (ids) => callsStatement(page.projectId, ids, page.conditions, line),
      signal,
    )
    if (page.limit === undefined && (isExact || page.offset === 0)) yield* lines
    else yield* someLines(lines, isExact ? 0 : page.offset, page.limit)
  }

  /** The page's rows along the key, in pieces; candidates only, if they aren't known exactly. */
  private async *keysAlong(
    page: Page,
    line: LineOptions,
    walk: Walk,
    moved: MovedCalls,
    begun: Promise<void>,
    signal: AbortSignal,
  ): AsyncGenerator<Found[]> {
    // If rows are counted, none may be counted twice.
    const isCounted = walk.isExact && page.limit !== undefined
    if (isCounted) await begun
    let left = isCounted ? page.limit! : Number.POSITIVE_INFINITY
    let offset = walk.isExact ? page.offset : 0
    let after: Found | undefined
    for (let most = FIRST_KEYS; left > 0; most = MOST_KEYS) {
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
   * The lines of each slice, ending with those of its calls that its statement missed. Starts the next statement near
   * the slice's end and no sooner, since it would wait.
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

  /** The width of the widest line, if all are narrow enough for the engine to sort whole rows on disk. */
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

  /** The lines of a statement's rows, given the width of the widest. */
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

/** The calls that a slice shows. */
interface SliceCalls extends RowFilter {
  /** After all rows: ids of its calls that were missing because they have moved. */
  missing(): Promise<readonly string[]>
}

interface SliceRead {
  statement: Sql
  /** undefined: all that the statement returns */
  calls: SliceCalls | undefined
}

/** The progress of a list along the key. */
class Walk {
  private last: Key | undefined
  /** there are no further keys */
  isAtEnd = false

  /** @param isExact its keys are exactly those of its rows */
  constructor(
    private readonly page: Page,
    readonly isExact: boolean,
  ) {}

  /** The places from the previous slice to the end of this one. */
  range({ rows, isFirst, isLast }: Slice): PlaceRange {
    const after = this.last
    this.last = rows.at(-1)
    const isCut = isFirst && this.isExact && this.page.offset > 0
    return { after, from: isCut ? rows[0] : undefined, to: isLast && this.isAtEnd ? undefined : this.last }
  }
}

/** Shows each call at its place from when the list began. */
function alongWalk(moved: MovedCalls, range: PlaceRange): SliceCalls {
  let begun: Promise<void> | undefined
  const begin = () => (begun ??= moved.look())
  return {
    begin,
    get takes() {
      return moved.isEmpty ? undefined : (id: string) => moved.takes(id, range)
    },
    missing: async () => {
      await begin()
      return moved.missing(range)
    },
  }
}

/** Shows the calls found, by id. */
function byName(rows: readonly Found[]): SliceCalls {
  const left = new Set(rows.map(({ id }) => id))
  return {
    begin: async () => undefined,
    takes: (id) => left.delete(id),
    missing: async () => [...left],
  }
}

/**
 * Few candidates usually turn out to be rows of the page. If more do, the engine sorts them on disk, which very wide
 * rows would not fit into.
 */
function weightOfCandidate({ width }: Found): number {
  return width < 64 << 10 ? width / 8 : width
}

/** A slice whose statement has started. */
interface Begun {
  lines: AsyncIterable<Uint8Array>
  calls: SliceCalls | undefined
  /** estimated width of its lines */
  width: number
}

/** `promise`, whose rejection is reported only when it is awaited. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const piece of pieces) found.push(piece)
  return found
}
