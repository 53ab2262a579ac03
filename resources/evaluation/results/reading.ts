/** Runs the statements of one answer, and computes the digests of rows that have none. Doesn't know the answer's JSON. */

import { READ_SETTINGS } from '../../../domain/calls/read/settings.js'
import { fileDigest, objectDigest } from '../../../domain/refs/digest.js'
import { refsToInternal } from '../../../domain/refs/refs.js'
import type { Sql } from '../../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../../platform/clickhouse/store.js'
import { JsonError } from '../../../platform/json/error.js'
import { parseTree } from '../../../platform/json/tree.js'
import { jsonAt } from '../call-row.js'
import type { PageRow } from './page.js'
import { type KnownRows, type Runs, unknownRows } from './trials.js'

/** The rows of a page, and the counts over all pages. */
export interface Page {
  rows: readonly PageRow[]
  total: number
  /** some of these rows have unknown digests */
  unknown: boolean
}

/** Runs the statements of one answer, under its limits. */
export class Reading {
  constructor(
    private readonly store: Store,
    private readonly limits: Required<Limits>,
    private readonly signal: AbortSignal,
  ) {}

  rows<Row>(statement: Sql): Promise<Row[]> {
    const { store, limits, signal } = this
    return store.rows<Row>(statement, { limits, signal, settings: READ_SETTINGS })
  }

  /**
   * Runs `work` with the known digests of rows. If it meets unknown ones, they are computed and it runs again. Mostly
   * there are none, since datasets' rows are named by digest.
   */
  async digested<Found extends Page>(
    runs: Runs,
    known: KnownRows,
    work: (known: KnownRows) => Promise<Found>,
  ): Promise<Found> {
    const first = await work(known)
    if (!first.unknown) return first
    const rows = await this.rows<{ hash: string; inputs: string }>(unknownRows(runs, known))
    if (rows.length === 0) return first
    return work({
      marked: known.marked,
      hashes: rows.map(({ hash }) => hash),
      digests: rows.map(({ inputs }) => digestOf(jsonAt(inputs, ['example']) ?? 'null')),
    })
  }
}

/** A row that can't have a digest (a number beyond a double, or too many values) is identified by its text. */
function digestOf(row: string): string {
  try {
    return objectDigest(refsToInternal(parseTree(row)))
  } catch (error) {
    if (error instanceof JsonError) return fileDigest(Buffer.from(row))
    throw error
  }
}
