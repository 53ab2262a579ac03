/**
 * Handles requests sent on a connection before the last one is answered. uWebSockets.js then closes the connection, and
 * a write would be stored without an answer. So a write waits until everything read together with it is known, and
 * pauses the connection until it is answered.
 */
import type { Hold } from './hold.js'

/** How long the next request waits for a write's answer. Only after that is a caller that left noticed. */
const WAITS_MS = 1000

/** Resolves when the library has processed all it has read, and has closed connections where that makes it do so. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Pauses the next request on a connection. @returns a function that resumes it */
export function holdNext(hold: Hold): () => void {
  const letGo = hold.take()
  const timer = setTimeout(letGo, WAITS_MS).unref()
  return () => {
    clearTimeout(timer)
    letGo()
  }
}
