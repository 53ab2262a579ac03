/** Runs the statements that read calls, under limits. Bytes of lines are passed on as they come. */

import type { ClickHouseSettings } from '@clickhouse/client'
import type { Sql } from '../../common/clickhouse/sql.js'
import type { Limits, Store } from '../../common/clickhouse/store.js'
import { type Price, pricesByModel } from '../costs/pricing.js'
import { Horizons } from './horizon.js'
import type { LineOptions } from './line.js'
import { isNear, nearLines } from './near.js'
import { type Key, keysStatement, type Page, pageStatement, planOf, rowsStatement } from './page.js'
import { longList, READ_SETTINGS } from './settings.js'

export class CallReader {
  private readonly horizons = new Horizons()

  constructor(
    private readonly store: Store,
    private readonly limits: Required<Limits>,
  ) {}

  /** The lines of a page, for `caller`. Ending the iteration, or `signal`, cancels the query. */
  async page(
    page: Page,
    line: LineOptions,
    signal: AbortSignal,
    caller: string,
  ): Promise<AsyncIterable<Uint8Array>> {
    if (page.limit === 0) return nothing()
    if (isNear(page, line)) {
      const read = (statement: Sql) => this.stream(statement, 'RowBinary', signal, {}, caller)
      const prices = line.costs && this.rows<Price>(line.costs.prices, signal).then(pricesByModel)
      const near = await nearLines(page, line, read, prices, this.horizons)
      if (near) return once(near)
    }
    const plan = planOf(page, line)
    if (plan !== 'keys') return this.lines(pageStatement(page, line), signal, plan === 'stream', caller)
    const keys = await this.rows<Key>(keysStatement(page), signal)
    return keys.length === 0
      ? nothing()
      : this.lines(rowsStatement(page.projectId, keys, line), signal, false, caller)
  }

  /** The one column of a statement, a line a row. */
  lines(
    statement: Sql,
    signal: AbortSignal,
    long = false,
    caller?: string,
  ): Promise<AsyncIterable<Uint8Array>> {
    return this.stream(statement, 'TSVRaw', signal, long ? longList(this.limits.memoryBytes) : {}, caller)
  }

  private stream(
    statement: Sql,
    format: string,
    signal: AbortSignal,
    more: ClickHouseSettings,
    caller?: string,
  ): Promise<AsyncIterable<Uint8Array>> {
    return this.store.stream(statement, format, {
      ...this.options(signal),
      ...(caller !== undefined && { caller }),
      settings: { ...READ_SETTINGS, ...more },
    })
  }

  /** Few rows, as objects. */
  rows<Row>(statement: Sql, signal: AbortSignal): Promise<Row[]> {
    return this.store.rows<Row>(statement, { ...this.options(signal), settings: READ_SETTINGS })
  }

  private options(signal: AbortSignal) {
    return { limits: this.limits, signal }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
