/**
 * Holds a connection back: while anybody holds it, nothing is read from it. Knows nothing of who holds it or why.
 */
import type { HttpResponse } from 'uWebSockets.js'

export class Hold {
  private holders = 0

  constructor(private readonly res: HttpResponse) {}

  /** Holds the connection; what this returns lets it go again, and is harmless twice. */
  take(): () => void {
    if (this.holders++ === 0) quietly(() => this.res.pause())
    let held = true
    return () => {
      if (!held) return
      held = false
      if (--this.holders === 0) quietly(() => this.res.resume())
    }
  }
}

/** The connection may be gone, or answered and not ours any more. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // Nobody is left to hold back.
  }
}
