/** What the proxies in front say of how the caller reached this service. */

/** A name or an address, and a port: nothing that would go on into a path or a user. */
const HOST = /^[\w.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i

type Headers = ReadonlyMap<string, string>

/** The value that the outermost proxy gave; undefined if none. */
function first(headers: Headers, name: string, parameter: string): string | undefined {
  const list = headers.get(name)?.split(',')[0]?.trim()
  if (list) return list
  const pairs = headers.get('forwarded')?.split(',')[0]?.split(';') ?? []
  const pair = pairs.map((one) => one.split('=')).find(([key = '']) => key.trim().toLowerCase() === parameter)
  return pair?.[1]?.trim().replace(/^"(.*)"$/, '$1') || undefined
}

/** Whether the caller's connection is encrypted, by `X-Forwarded-Proto` or `Forwarded` (RFC 7239). */
export function isHttps(headers: Headers): boolean {
  return first(headers, 'x-forwarded-proto', 'proto')?.toLowerCase() === 'https'
}

/** Where the caller reached this service, as far as it and its proxies say. */
export function originOf(headers: Headers): string {
  return `${isHttps(headers) ? 'https' : 'http'}://${hostOf(headers) ?? 'localhost'}`
}

/**
 * The host that the caller named, with its port, by `X-Forwarded-Host`, `Forwarded` or else `Host`. A caller may name any:
 * use it for answers to that very request alone, which no cache keeps.
 */
export function hostOf(headers: Headers): string | undefined {
  const named = first(headers, 'x-forwarded-host', 'host')
  return named !== undefined && HOST.test(named) ? named : headers.get('host')
}

/** The address that the outermost proxy got the request from, as far as proxies say: callers can make it up. */
export function forwardedFor(headers: Headers): string {
  const named = first(headers, 'x-forwarded-for', 'for') ?? ''
  return /^[\w.:[\]-]{1,64}$/.test(named) ? named : ''
}
