/** What the routes that ask model providers share: who they are, how they are reached, what may be held of them. */

import { latestObject } from '../domain/providers/latest.js'
import { Providers } from '../domain/providers/provider.js'
import { Secrets } from '../domain/secrets/secrets.js'
import type { Store } from '../platform/clickhouse/store.js'
import { BodyBudget } from '../platform/http/budget.js'
import { Outbound } from '../platform/outbound/fetch.js'

export interface ProviderOptions {
  secrets: Secrets
  /** ms for an answer */
  timeoutMs: number
  /** ranges outside the public internet that may be asked */
  allowPrivate: readonly string[]
}

export interface ProviderAccess {
  providers: Providers
  /** to be closed in the end */
  outbound: Outbound
  /** bytes of answers held over all requests */
  held: BodyBudget
  timeoutMs: number
}

const HELD_BYTES = 64 << 20
/** Requests have a clock of their own, which should end them first: it tells what happened. */
const LATER_MS = 5000

/** @param options absent: no provider has a key, and none in private networks is asked */
export function providerAccess(store: Store, options: ProviderOptions | undefined): ProviderAccess {
  const { timeoutMs = 60_000, allowPrivate = [] } = options ?? {}
  const secrets = options?.secrets ?? new Secrets(store, undefined)
  return {
    providers: new Providers(latestObject(store), secrets),
    outbound: new Outbound({ allowPrivate, timeoutMs: timeoutMs + LATER_MS }),
    held: new BodyBudget(HELD_BYTES),
    timeoutMs,
  }
}
