import type { Origin } from '../../domain/auth/session-table.js'

export interface Caller {
  headers: ReadonlyMap<string, string>
  remoteAddress: string
}

/** For the session's holder to tell it from others. */
export function originOfSession({ headers, remoteAddress }: Caller): Origin {
  return { browser: headers.get('user-agent') ?? '', address: remoteAddress }
}
