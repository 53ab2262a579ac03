/** Waiting for a fact: asked again and again up to a deadline, never slept for. */

/**
 * Asks `probe` until it gives something other than undefined or false, and returns that.
 * A probe that throws counts as "not yet". Past `seconds` it fails with what was last seen.
 * @param pauseMs between two probes; longer for what lasts once it is there and costs the server something to tell
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = 60,
  pauseMs = 50,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  let last: unknown
  for (;;) {
    try {
      const found = await probe()
      if (found !== undefined && found !== false) return found
      last = found
    } catch (error) {
      last = error
    }
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s for ${what}; last: ${String(last)}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
