/** Splits long loops so that other work on the event loop can run in between. */

/** Yields ranges of at most `size` out of `count` items, with an event-loop turn between ranges. */
export async function* inTurns(count: number, size: number): AsyncGenerator<{ from: number; to: number }> {
  for (let from = 0; from < count; from += size) {
    if (from > 0) await new Promise(setImmediate)
    yield { from, to: Math.min(from + size, count) }
  }
}
