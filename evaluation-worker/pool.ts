/** Does so many things at once. Knows nothing of them. */

/**
 * Gives each item to `work`, at most `width` at a time.
 * @param work is told by its signal when another item failed, or the caller's signal was aborted
 * @throws what the first failure was, when all that ran has ended
 */
export async function each<T>(
  items: AsyncIterable<T>,
  width: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const own = new AbortController()
  const both = AbortSignal.any([own.signal, signal])
  const running = new Set<Promise<void>>()
  try {
    for await (const item of items) {
      both.throwIfAborted()
      const one = work(item, both)
        .catch((error: unknown) => own.abort(error))
        .finally(() => running.delete(one))
      running.add(one)
      if (running.size >= width) await Promise.race(running)
    }
  } finally {
    if (both.aborted) own.abort(both.reason)
    await Promise.all(running)
  }
  both.throwIfAborted()
}
