/**
 * For whom the work that runs now is done, so that each statement of it can be charged to somebody. It goes along with
 * the work by itself. Knows nothing of requests or statements.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** `account/who`: shares are by account, and within one by who. */
export type Caller = `${string}/${string}`

const running = new AsyncLocalStorage<Caller>()

/** Who the work that runs now is done for; undefined: nobody has said. */
export function currentCaller(): Caller | undefined {
  return running.getStore()
}

/** Does `work`, and all that it begins, for `caller`. */
export function asCaller<T>(caller: Caller, work: () => T): T {
  return running.run(caller, work)
}

/** Work of our own has an account like others'; no entity can have its name. */
export function service(name: string): Caller {
  return `:service/${name}`
}
