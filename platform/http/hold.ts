/**
 * Holds a connection back: while anybody holds it, nothing is read from it. And keeps the HTTP library from closing it
 * while its caller waits. Knows nothing of who holds it or why.
 */
import type { HttpResponse } from 'uWebSockets.js'

/** The HTTP library closes a connection that moves nothing for ten seconds, unless it is told more often than that. */
const AWAKE_MS = 4_000

export class Hold {
  private holders = 0
  private wasHeld = false
  private isWhole = false
  private hasEnded = false
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
      if (--this.holders > 0 || this.hasEnded) return
      quietly(() => this.res.resume())
      // The library counts from here as if a request were still to come.
      if (this.isWhole) this.keepAwake()
    }
  }

  /** The whole request is there: from now on it is the caller who waits, however long that is. */
  whole(): void {
    this.isWhole = true
    if (this.wasHeld) this.keepAwake()
  }

  /** Starts the library's clock again and again, until the answer has ended. */
  keepAwake(): void {
    if (this.hasEnded) return
    this.awake ??= setInterval(() => {
      if (this.holders > 0) return
      quietly(() => this.res.pause())
      quietly(() => this.res.resume())
    }, AWAKE_MS)
  }

  /** The answer has ended. */
  end(): void {
    this.hasEnded = true
    clearInterval(this.awake)
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
