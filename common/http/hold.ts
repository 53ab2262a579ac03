/**
 * Holds a connection back: while anybody holds it, nothing is read from it. Knows nothing of who holds it or why.
 */
import type { HttpResponse } from 'uWebSockets.js'

/** The HTTP library closes a connection that moves nothing for ten seconds, unless it is told more often than that. */
export const AWAKE_MS = 4_000

export class Hold {
  private holders = 0
  private wasHeld = false
  private isWhole = false
  private awake: NodeJS.Timeout | undefined

  constructor(private readonly res: HttpResponse) {}

  /** Holds the connection; what this returns lets it go again, and is harmless twice. */
  take(): () => void {
    if (this.holders++ === 0) quietly(() => this.res.pause())
    this.wasHeld = true
    let held = true
    return () => {
      if (!held) return
      held = false
      if (--this.holders > 0) return
      quietly(() => this.res.resume())
      this.keepAwake()
    }
  }

  /** The whole request is there: from now on it is the caller who waits, however long that is. */
  whole(): void {
    this.isWhole = true
    this.keepAwake()
  }

  /** The answer has ended. */
  end(): void {
    this.holders = Number.POSITIVE_INFINITY
    clearInterval(this.awake)
  }

  /** A connection that was let go counts ten seconds as if a request were still to come: begins again and again. */
  private keepAwake(): void {
    if (!this.isWhole || !this.wasHeld || this.holders > 0) return
    this.awake ??= setInterval(() => {
      if (this.holders > 0) return
      quietly(() => this.res.pause())
      quietly(() => this.res.resume())
    }, AWAKE_MS)
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
