/** How soon a list is read again: the longer nothing changed in it, the later. Pure, but for what it remembers of answers. */

/** Since when an answer has been the same: the client keeps the value of one that says nothing new. */
const since = new WeakMap<object, number>()
/** Nothing is older than so many of the shortest times. */
const MOST = 8

interface Asked {
  state: { data: unknown; dataUpdatedAt: number }
}

/**
 * The `refetchInterval` of a query: after `ms`, or half the time for which its answer has not changed, up to eight times
 * `ms`. Nothing is asked while the tab is hidden: the client sees to that.
 */
export const pollInterval =
  (ms: number) =>
  ({ state: { data, dataUpdatedAt: now } }: Asked): number => {
    if (typeof data !== 'object' || data === null) return ms
    const first = since.get(data) ?? now
    since.set(data, first)
    return Math.min(Math.max(ms, (now - first) / 2), ms * MOST)
  }
