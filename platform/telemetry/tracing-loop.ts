/** Detects whether spans sent to an address would come back to their sender. Sends only two requests. */
import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'

const TIMEOUT_MS = 2000
const MOST_BYTES = 4096

/** True if `url` is one of this process's own ports. */
export async function isOwnPort(url: URL, ports: readonly number[]): Promise<boolean> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!ports.includes(port)) return false
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await lookup(host, { all: true }).catch(() => [])
  return addresses.some(({ address }) => isHere(address))
}

/** True if a Heddle, this one or another, answers at `url`; false if nothing does. */
export async function isHeddle(url: URL): Promise<boolean> {
  const [info, version] = await Promise.all(['/server_info', '/version'].map((path) => ask(url, path)))
  // SDKs identify this interface by the first; many other programs answer the second.
  return has(info, 'min_required_weave_python_version') && has(version, 'version')
}

async function ask({ origin }: URL, path: string): Promise<unknown> {
  try {
    const answer = await fetch(origin + path, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = answer.ok ? await answer.text() : ''
    return text.length > MOST_BYTES ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const has = (value: unknown, name: string) => typeof value === 'object' && value !== null && name in value

function isHere(address: string): boolean {
  if (address.startsWith('127.') || address === '::1' || address === '0.0.0.0' || address === '::')
    return true
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address))
}
