/**
 * Fetches addresses that callers name (providers, training data). Checks the resolved address when connecting, so that
 * a name can't be pointed elsewhere after the check, and again at every redirect.
 */
import { lookup } from 'node:dns'
import { type BlockList, isIP } from 'node:net'
import { Agent, type RequestInit, type Response, fetch as send } from 'undici'
import { errors } from '../errors/catalog.js'
import { HeddleError } from '../errors/error.js'
import { networkSet } from '../networks/networks.js'
import { mayReach } from './ranges.js'

export interface OutboundOptions {
  /** private ranges that the operator allows, for providers in their own network */
  allowPrivate: readonly string[]
  /** names of hosts that the operator set himself, wherever they are; default: none */
  trustedHosts?: readonly string[]
  /** ms until the answer's headers must have arrived; default 60 s */
  timeoutMs?: number
  maxRedirects?: number
  /** resolves names, for tests; default: the system's way */
  resolve?: typeof lookup
}

/** Headers that never contain credentials. */
const HARMLESS = new Set(['accept', 'accept-language', 'content-type', 'user-agent', 'range'])

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** A `fetch` for callers' addresses. Create one per process: it pools connections. */
export class Outbound {
  private readonly agent: Agent
  private readonly allowed: BlockList

  constructor(private readonly options: OutboundOptions) {
    const { allowPrivate, timeoutMs = 60_000, resolve = lookup } = options
    this.allowed = networkSet(allowPrivate)
    this.agent = new Agent({
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: {
        timeout: 10_000,
        lookup: (hostname, lookupOptions, done) => {
          resolve(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
            if (error) return done(error, [])
            const isTrusted = this.options.trustedHosts?.includes(hostname)
            const allowed = isTrusted
              ? addresses
              : addresses.filter(({ address }) => mayReach(address, this.allowed))
            if (allowed.length === 0) return done(privateAddress(hostname), [])
            done(null, allowed)
          })
        },
      },
    })
  }

  /**
   * Like `fetch`; follows redirects itself. Sends no header that may be a credential to another origin.
   * @throws `BAD_ADDRESS` (400) for a private or malformed address, `UPSTREAM` (502) when nothing answers
   */
  async fetch(address: string, init: RequestInit = {}): Promise<Response> {
    let url = this.checked(address)
    let request: RequestInit = { ...init, redirect: 'manual', dispatcher: this.agent }
    for (let hops = 0; ; hops++) {
      const answer = await this.once(url, request)
      const location = answer.headers.get('location')
      if (!REDIRECTS.has(answer.status) || !location) return answer
      await answer.body?.cancel()
      const { maxRedirects = 5 } = this.options
      if (hops >= maxRedirects)
        throw errors.upstream(maxRedirects === 0 ? 'it redirects' : 'it redirects too often')
      // Its text may repeat what was sent, a credential among it.
      const next = this.checked(new URL(location, url).href, 'what it redirects to')
      request = redirected(request, answer.status, next.origin === url.origin)
      url = next
    }
  }

  /** Checks an address without fetching it. @throws `BAD_ADDRESS` (400) unless it may be fetched, as far as it says itself */
  check(address: string): void {
    this.checked(address)
  }

  async close(): Promise<void> {
    await this.agent.destroy()
  }

  /** Parses an address that may be fetched. Names are checked again when they are resolved. */
  private checked(address: string, shown = JSON.stringify(address.slice(0, 200))): URL {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      throw errors.badAddress(`${shown} is not an http or https address`)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !this.options.trustedHosts?.includes(host) && !mayReach(host, this.allowed))
      throw privateAddress(host)
    return url
  }

  private async once(url: URL, request: RequestInit): Promise<Response> {
    try {
      return await send(url, request)
    } catch (error) {
      const cause = (error as Error).cause
      if (cause instanceof HeddleError) throw cause
      throw errors.upstream(cause instanceof Error ? cause.message : (error as Error).message)
    }
  }
}

function privateAddress(host: string): HeddleError {
  return errors.badAddress(
    `"${host}" is not on the public internet; an operator can allow that with HEDDLE_ALLOW_PRIVATE_ADDRESSES`,
  )
}

/** The request after a redirect: 303 (and POST on 301, 302) becomes GET; credentials stay with their origin. */
function redirected(request: RequestInit, status: number, sameOrigin: boolean): RequestInit {
  const becomesGet = status === 303 || ((status === 301 || status === 302) && request.method === 'POST')
  const next = becomesGet ? { ...request, method: 'GET', body: null } : { ...request }
  if (sameOrigin) return next
  // Services name their key headers as they like, so list the allowed headers, not the forbidden ones.
  const headers = new Headers(next.headers as Record<string, string>)
  return { ...next, headers: Object.fromEntries([...headers].filter(([name]) => HARMLESS.has(name))) }
}
