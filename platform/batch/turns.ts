/** Long loops, cut so that other work of the process has its turn in between. Knows nothing of what is looped over. */

/** Ranges of `count` items, `size` at most in each; the event loop turns between two. */
export async function* inTurns(count: number, size: number): AsyncGenerator<{ from: number; to: number }> {
  for (let from = 0; from < count; from += size) {
    if (from > 0) await new Promise(setImmediate)
    yield { from, to: Math.min(from + size, count) }
  }
}
