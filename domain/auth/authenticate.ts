/** Authenticates a request by its headers. */

import { errors } from '../../platform/errors/catalog.js'
import { nobody, type Principal } from '../../platform/http/principal.js'
import type { RouteSpec } from '../../platform/http/route.js'
import { hashKey, presentedKey } from './api-key.js'
import type { KeyRing } from './key-ring.js'
import { presentedSessions, usableSessions } from './session-cookie.js'
import type { Sessions } from './sessions.js'

/**
 * The hook for `App`. Synchronous when the key is in memory, which is always except for the first time. Public routes
 * need no key and never wait for the store; they identify the caller if the key is known.
 * @param sessions sessions of people signed in to the pages; default: keys only
 */
export function authenticator(ring: KeyRing, sessions?: Sessions) {
  return (headers: ReadonlyMap<string, string>, spec: RouteSpec): Principal | Promise<Principal> => {
    const key = presentedKey(headers, spec.path)
    if (key === undefined) {
      if (spec.access === 'public') return nobody
      const sent = sessions === undefined ? [] : presentedSessions(headers)
      if (sent.length === 0) throw errors.noKey()
      const [session = '', ...others] = usableSessions(spec.method, sent, headers)
      if (others.length === 0) return sessions!.principalOf(session)
      return sessions!.firstLive([session, ...others]).then(({ principal }) => principal)
    }
    const hash = hashKey(key)
    const known = ring.known(hash)
    if (known) return known
    return spec.access === 'public' ? nobody : ring.find(hash)
  }
}
