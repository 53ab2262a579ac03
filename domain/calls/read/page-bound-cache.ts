/**
 * Where lists ended when they were last read. Most are read again and again (the newest hundred of a project), and then
 * only what lies before that end has to be looked at. A guess: the caller checks that the list is full. Pure.
 */
import { createHash } from 'node:crypto'
import { join, sql } from '../../../platform/clickhouse/sql.js'
import type { Page } from './page.js'

const LISTS = 1000
/** A condition that takes longer to hash than it can save. */
const LONGEST = 16_384

export interface PageBound {
  /** µs since the epoch: the last row's start */
  started: number
  /** true: there were running calls among the rows */
  hasRunning: boolean
}

export class PageBoundCache {
  private readonly last = new Map<string, PageBound>()

  /** What a page is known by; undefined: it is not worth it. */
  keyOf({ projectId, conditions, order, limit, offset, narrow }: Page): string | undefined {
    if (limit === undefined || narrow) return undefined
    const { query, params } = join(conditions, sql` AND `).render()
    const ways = order.terms.map(({ direction }) => direction)
    const text = JSON.stringify([projectId, ways, offset + limit, query, params])
    return text.length > LONGEST ? undefined : createHash('sha256').update(text).digest('base64')
  }

  get(key: string | undefined): PageBound | undefined {
    return key === undefined ? undefined : this.last.get(key)
  }

  /** Takes note of where a page has ended; undefined: it was not full. */
  set(key: string | undefined, bound: PageBound | undefined): void {
    if (key === undefined) return
    this.last.delete(key)
    if (bound) this.last.set(key, bound)
    if (this.last.size > LISTS) this.last.delete(this.last.keys().next().value!)
  }
}
