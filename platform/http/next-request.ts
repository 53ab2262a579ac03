/**
 * What a caller sends on a connection before it has the answer of its last request. uWebSockets.js closes the
 * connection then, and what was stored would go without an answer; so a write waits until what was read together with
 * it is known, and what comes later is left unread until it is answered. Knows nothing of routes.
 */
import type { Hold } from './hold.js'

/** So long the next request waits for the answer of a write. A caller that has left is noticed after it. */
const WAITS_MS = 1000

/** When it resolves, the library has looked at everything that it read, and has closed what it closes for that. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Lets the next request on a connection wait. @returns what ends that */
export function holdNext(hold: Hold): () => void {
  const letGo = hold.take()
  const timer = setTimeout(letGo, WAITS_MS).unref()
  return () => {
    clearTimeout(timer)
    letGo()
  }
}
