/** Where a request comes from, as sessions keep it and limits count it. */
import type { Origin } from '../../domain/auth/session-table.js'
import { forwardedFor } from '../../platform/http/forwarded.js'

export interface Caller {
  headers: ReadonlyMap<string, string>
  remoteAddress: string
}

/** For its holder to tell it from others: behind a proxy it is what the proxy said, which the holder could make up. */
export function originOfSession({ headers, remoteAddress }: Caller): Origin {
  return { browser: headers.get('user-agent') ?? '', address: forwardedFor(headers) || remoteAddress }
}

/**
 * What is counted as one caller: the connection, and the last address that the proxies before it named, which is the one
 * that the nearest of them saw.
 */
export function countedCaller({ headers, remoteAddress }: Caller): string {
  const last = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim().slice(0, 64) ?? ''
  return `${remoteAddress} ${last}`
}
