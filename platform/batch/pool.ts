/** Runs work with limited concurrency. */

/**
 * Gives each item to `work`, at most `width` at a time.
 * @param work its signal is aborted when another item fails, or when the caller's signal is aborted
 * @throws the first failure, once all running work has ended
 */
export async function each<T>(
  items: AsyncIterable<T> | Iterable<T>,
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
