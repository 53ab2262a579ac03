import { errors } from '../../platform/errors/catalog.js'
import { nobody, type Principal } from '../../platform/http/principal.js'
import type { Authenticate, RouteSpec } from '../../platform/http/route.js'
import { admits } from '../../platform/networks/networks.js'
import { hashKey, presentedKey } from './api-key.js'
import type { KeyRing } from './key-ring.js'
import { presentedSessions, usableSessions } from './session-cookie.js'
import type { Sessions } from './sessions.js'

/**
 * The hook for `App`. Synchronous when the key is in memory, which is always except for the first time. Public routes
 * need no key and never wait for the store; they identify the caller if the key is known.
 * @param sessions sessions of people signed in to the pages; default: keys only
 */
export function authenticator(ring: KeyRing, sessions?: Sessions): Authenticate {
  return (headers, spec, address) => {
    const admitted = (principal: Principal) => admittedTo(spec, principal, address)
    const key = presentedKey(headers, spec.path)
    if (key === undefined) {
      if (spec.access === 'public') return nobody
      const sent = sessions === undefined ? [] : presentedSessions(headers)
      if (sent.length === 0) throw errors.noKey()
      const [session = '', ...others] = usableSessions(spec.method, sent, headers)
      if (others.length > 0)
        return sessions!.firstLive([session, ...others]).then(({ principal }) => admitted(principal))
      const holder = sessions!.principalOf(session)
      return holder instanceof Promise ? holder.then(admitted) : admitted(holder)
    }
    const hash = hashKey(key)
    const known = ring.known(hash)
    if (known) return admitted(known)
    return spec.access === 'public' ? nobody : ring.find(hash).then(admitted)
  }
}

/** The caller as the route sees it. @throws `WRONG_ADDRESS` (403) if its key may not be used from there */
function admittedTo({ tag, access }: RouteSpec, principal: Principal, address: () => string): Principal {
  const addresses = principal.attributes.limits?.addresses
  if (addresses !== undefined && !admitting(principal, addresses)(address())) {
    if (access === 'public') return nobody
    throw errors.elsewhere()
  }
  return principal.within(tag)
}

const lists = new WeakMap<Principal, (address: string) => boolean>()

function admitting(principal: Principal, addresses: readonly string[]): (address: string) => boolean {
  let list = lists.get(principal)
  if (list === undefined) {
    list = admits(addresses)
    lists.set(principal, list)
  }
  return list
}
