/**
 * The caller that work is done for, so that each of its statements can be charged to one. It follows the work through
 * its promises and timers. Knows nothing of requests or statements.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** `account/name`: what is shared is shared among accounts first, then among the names of one. */
export type Caller = `${string}/${string}`

const running = new AsyncLocalStorage<Caller>()

/** The caller of the work that runs now; undefined: none is known. */
export function currentCaller(): Caller | undefined {
  return running.getStore()
}

/** Does `work`, and all that it starts, for `caller`. */
export function asCaller<T>(caller: Caller, work: () => T): T {
  return running.run(caller, work)
}

/** The caller of our own work, in an account that no entity can have the name of. */
export function service(name: string): Caller {
  return `:service/${name}`
}
