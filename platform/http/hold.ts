/**
 * Pauses reading from a connection while any holder wants it, and keeps the HTTP library from closing it while its
 * caller waits.
 */
import type { Outgoing } from './server.js'

/** The HTTP library closes a connection that is idle for ten seconds, unless its timeout is reset. */
const AWAKE_MS = 4_000

export class Hold {
  private holders = 0
  private wasHeld = false
  private isWhole = false
  private hasEnded = false
  private awake: NodeJS.Timeout | undefined
  private onWhole: (() => void) | undefined

  constructor(private readonly res: Outgoing) {}

  /** Pauses the connection; the returned function releases it and is idempotent. */
  take(): () => void {
    if (this.holders++ === 0) quietly(() => this.res.pause())
    this.wasHeld = true
    let held = true
    return () => {
      if (!held) return
      held = false
      if (--this.holders > 0 || this.hasEnded) return
      quietly(() => this.res.resume())
      // The library's timeout now runs as if a request were still to come.
      if (this.isWhole) this.keepAwake()
    }
  }

  /** The request is complete: from now on the caller waits, for as long as it takes. */
  whole(): void {
    this.isWhole = true
    if (this.wasHeld) this.keepAwake()
    if (!this.hasEnded) this.onWhole?.()
    this.onWhole = undefined
  }

  /** Runs `act` when the request is complete, and not at all if its answer ends before. */
  whenWhole(act: () => void): void {
    if (this.isWhole) act()
    else this.onWhole = act
  }

  /** Keeps resetting the library's timeout until the answer has ended. */
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

/** The connection may be gone, or answered and no longer ours. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // The connection is gone, so there is nothing to pause.
  }
}
