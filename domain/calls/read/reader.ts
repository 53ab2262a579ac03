/** Runs the statements that read calls, under limits. Passes lines on as they arrive. */

import type { ClickHouseSettings } from '@clickhouse/client'
import type { Sql } from '../../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../../platform/clickhouse/store.js'
import { HeddleError } from '../../../platform/errors/error.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { readPrices } from '../../costs/price-reader.js'
import type { Prices } from '../../costs/pricing.js'
import type { Fields } from '../../expr/value.js'
import type { SpanPlaces } from '../span-places.js'
import { callFields } from './fields.js'
import type { LineOptions } from './line.js'
import { linesOf } from './lines.js'
import { LongList } from './long-list.js'
import { oneStatement, type Page } from './page.js'
import { type PageBound, PageBoundCache } from './page-bound-cache.js'
import { withPlaces } from './places.js'
import { estimated, longList, READ_SETTINGS } from './settings.js'
import { isShortCount, shortCount } from './short-count.js'
import { isShortList, shortListLines } from './short-list.js'
import { isShortPage, shortPageLines } from './short-page.js'

/** Assumed bytes of a line in a long list, if unknown. */
const LONG_LINE = 32 << 10

export class CallReader {
  private readonly bounds = new PageBoundCache<PageBound>()
  private readonly latencies = new PageBoundCache<number>()

  constructor(
    private readonly store: Store,
    private readonly limits: Required<Limits>,
  ) {}

  /** What `plan` makes of the fields of calls; attributes of spans are read at their places. @param project `entity/project` */
  placed<Plan>(
    project: string,
    plan: (fields: Fields, places: SpanPlaces | undefined) => Plan,
    signal: AbortSignal,
  ): Promise<Plan> {
    const rows = <Row>(statement: Sql) => this.rows<Row>(statement, signal)
    return withPlaces(projectIdOf(project), rows, (places) =>
      plan(callFields(project, undefined, places), places),
    )
  }

  /** The lines of a page. Ending the iteration, or `signal`, cancels the query. */
  async page(page: Page, line: LineOptions, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    if (page.limit === 0) return nothing()
    const prices = line.costs ? this.prices(page.projectId, signal) : undefined
    // Along the key the first rows may suffice; any other order needs all of them.
    const settings = page.order.kind === 'free' ? estimated(this.limits.seconds) : {}
    const short = await this.short(page, line, prices, settings, signal)
    if (short) return once(short)
    const stream = (statement: Sql, format: string, more: ClickHouseSettings, until: AbortSignal) =>
      this.stream(statement, format, until, { ...settings, ...more })
    return new LongList(stream, this.limits.memoryBytes, await prices).lines(page, line, signal)
  }

  /** The lines of a short list, unless it isn't one, or its rows prove too wide to be read at once. */
  private async short(
    page: Page,
    line: LineOptions,
    prices: Promise<Prices> | undefined,
    settings: ClickHouseSettings,
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const memoryBytes = Math.floor(this.limits.memoryBytes / 2)
    const read = (statement: Sql) => this.stream(statement, 'RowBinary', signal, settings, { memoryBytes })
    try {
      if (isShortPage(page, line)) return await shortPageLines(page, line, read, prices, this.bounds)
      if (isShortList(page, line)) return await shortListLines(page, line, read, prices, this.latencies)
      return undefined
    } catch (error) {
      if (error instanceof HeddleError && error.code === 'LIMIT_HIT') return undefined
      throw error
    }
  }

  /** How many calls a page has, up to its limit; undefined: they must be counted by a statement. */
  async few(page: Page, signal: AbortSignal): Promise<number | undefined> {
    if (!isShortCount(page)) return undefined
    return shortCount(page, (statement) => this.stream(statement, 'RowBinary', signal, {}))
  }

  /** The line of one call; empty if not found. */
  async one(projectId: string, id: string, line: LineOptions, signal: AbortSignal): Promise<Uint8Array> {
    const prices = line.costs ? await this.prices(projectId, signal) : undefined
    const rows = await this.stream(oneStatement(projectId, id, line), 'RowBinary', signal, {})
    const pieces: Uint8Array[] = []
    for await (const piece of linesOf(rows, line, prices)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  /** Those of a project and the default level. @param projectId internal id */
  async prices(projectId: string, signal: AbortSignal): Promise<Prices> {
    return readPrices(this.store, projectId, { limits: this.limits, signal, settings: READ_SETTINGS })
  }

  /** The single column of a statement, one line per row. */
  lines(statement: Sql, signal: AbortSignal, long = false): Promise<AsyncIterable<Uint8Array>> {
    const settings = long ? longList(this.limits.memoryBytes, LONG_LINE) : {}
    return this.stream(statement, 'TSVRaw', signal, settings)
  }

  private stream(
    statement: Sql,
    format: string,
    signal: AbortSignal,
    more: ClickHouseSettings,
    limits: Limits = {},
  ): Promise<AsyncIterable<Uint8Array>> {
    return this.store.stream(statement, format, {
      limits: { ...this.limits, ...limits },
      signal,
      settings: { ...READ_SETTINGS, ...more },
    })
  }

  /** Few rows, as objects. */
  rows<Row>(statement: Sql, signal: AbortSignal): Promise<Row[]> {
    const settings = { ...READ_SETTINGS, ...estimated(this.limits.seconds) }
    return this.store.rows<Row>(statement, { limits: this.limits, signal, settings })
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
