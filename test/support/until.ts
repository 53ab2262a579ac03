/** Waiting for a fact: asked again and again up to a deadline, never slept for. */

/**
 * A question to a server costs it as much as what is waited for: once it has been asked for longer, it is asked less often,
 * a tenth of the time so far after the last answer, and this at most.
 */
const LONGEST_PAUSE_MS = 400

/**
 * Asks `probe` until it gives something other than undefined or false, and returns that.
 * A probe that throws counts as "not yet". Past `seconds` it fails with what was last seen.
 * @param pauseMs least time between two probes, and all of it for probes that ask nobody and answer at once
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = 120,
  pauseMs = 50,
): Promise<T> {
  const began = Date.now()
  let last: unknown
  for (;;) {
    let pause = pauseMs
    try {
      const asked = probe()
      if (asked instanceof Promise)
        pause = Math.max(pauseMs, Math.min((Date.now() - began) / 10, LONGEST_PAUSE_MS))
      const found = await asked
      if (found !== undefined && found !== false) return found
      last = found
    } catch (error) {
      last = error
    }
    if (Date.now() - began > seconds * 1000)
      throw new Error(`waited ${seconds} s for ${what}; last: ${String(last)}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
