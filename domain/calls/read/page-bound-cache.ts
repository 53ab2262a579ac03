/**
 * Caches where lists ended. Most are read repeatedly (a project's newest hundred), and then only rows before that end
 * need to be read. A guess: the caller checks that the list is full. Lists in different orders need caches of their own.
 * Pure.
 */
import { createHash } from 'node:crypto'
import { allOf } from '../../../platform/clickhouse/sql.js'
import type { Page } from './page.js'

const LISTS = 1000
/** Longer conditions cost more to hash than they save. */
const LONGEST = 16_384

/** Where a list along the key ended. */
export interface PageBound {
  /** µs since the epoch: the last row's start */
  started: number
  /** true if there were running calls among the rows */
  hasRunning: boolean
}

export class PageBoundCache<Bound> {
  private readonly last = new Map<string, Bound>()

  /** The cache key of a page; undefined if caching is not worth it. */
  keyOf({ projectId, conditions, order, limit, offset, narrow }: Page): string | undefined {
    if (limit === undefined || narrow) return undefined
    const { query, params } = allOf(conditions).render()
    const ways = order.terms.map(({ direction }) => direction)
    const text = JSON.stringify([projectId, ways, offset + limit, query, params])
    return text.length > LONGEST ? undefined : createHash('sha256').update(text).digest('base64')
  }

  get(key: string | undefined): Bound | undefined {
    return key === undefined ? undefined : this.last.get(key)
  }

  /** Records where a page ended; undefined: it was not full. */
  set(key: string | undefined, bound: Bound | undefined): void {
    if (key === undefined) return
    this.last.delete(key)
    if (bound !== undefined) this.last.set(key, bound)
    if (this.last.size > LISTS) this.last.delete(this.last.keys().next().value!)
  }
}
