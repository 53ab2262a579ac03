/** A page of a list of items. Pure. */
import type { ResponseItem } from '../../contract/responses.js'

interface PageQuery {
  after?: string | undefined
  limit: number
  order: 'asc' | 'desc'
}

/** @param items the oldest first */
export function itemPage(items: readonly ResponseItem[], { after, limit, order }: PageQuery) {
  const ordered = order === 'asc' ? items : items.toReversed()
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  const data = ordered.slice(from, from + limit)
  return {
    object: 'list',
    data,
    has_more: from + limit < ordered.length,
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
  }
}
