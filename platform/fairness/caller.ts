/** The caller that the running work is charged to. It follows the work through promises and timers. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** `account/name`: resources are shared first among accounts, then among the names of an account. */
export type Caller = `${string}/${string}`

const running = new AsyncLocalStorage<Caller>()

/** The caller of the running work; undefined if none is known. */
export function currentCaller(): Caller | undefined {
  return running.getStore()
}

/** Runs `work`, and everything that it starts, for `caller`. */
export function asCaller<T>(caller: Caller, work: () => T): T {
  return running.run(caller, work)
}

const OURS = ':service'

/** A caller for our own work, in an account that no entity can be named like. */
export function service(name: string): Caller {
  return `${OURS}/${name}`
}

/** False for our own work, and for callers without a name: they are held to no share, and nobody is beside them. */
export function isCustomer(account: string): boolean {
  return account !== '' && account !== OURS
}

/** The account of a caller. */
export function accountOf(caller: Caller): string {
  return caller.slice(0, caller.indexOf('/'))
}
