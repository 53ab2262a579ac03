/** Who the client of a request is: the one definition for limits of keys, rates, sessions and the audit log. Pure. */
import { admits, canonical } from '../networks/networks.js'

/** More proxies than these are not followed. */
const MOST_HOPS = 32
/** `[` IPv6 `]:65535` */
const LONGEST_HOP = 64

/** @param forwarded the header X-Forwarded-For, of several lines joined by commas */
export type ClientOf = (socket: string, forwarded: string | undefined) => string

/**
 * Tells a client's address from that of its connection. Whoever is no trusted proxy is the client itself, whatever it
 * says. A trusted proxy appends whom it serves to X-Forwarded-For, so that header is read from its end, up to the first
 * that is not trusted; what is left of that, callers can make up. What is no address counts as not said: the client is
 * then the proxy that passed it on.
 * @param trusted addresses and networks of proxies
 */
export function clientFinder(trusted: readonly string[] = []): ClientOf {
  const isTrusted = trusted.length === 0 ? () => false : admits(trusted)
  return (socket, forwarded) => {
    let client = canonical(socket) ?? socket
    let end = forwarded?.length ?? 0
    for (let hop = 0; hop < MOST_HOPS && end > 0 && isTrusted(client); hop++) {
      const comma = forwarded!.lastIndexOf(',', end - 1)
      const named = end - comma > LONGEST_HOP ? undefined : addressIn(forwarded!.slice(comma + 1, end).trim())
      if (named === undefined) break
      client = named
      end = comma
    }
    return client
  }
}

/** An address with a port or without. */
function addressIn(text: string): string | undefined {
  const [, six, four] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+)(?::\d{1,5})?$/.exec(text) ?? []
  return canonical(six ?? four ?? text)
}
