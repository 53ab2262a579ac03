/** What keys are limited to beside their rights: models and addresses. Pure. */
import { BlockList, isIP } from 'node:net'
import { z } from 'zod'
import type { KeyLimits } from '../../platform/http/principal.js'
import { parsedAs } from '../../platform/json/parse.js'

const stored = z.object({ models: z.array(z.string()).optional(), addresses: z.array(z.string()).optional() })

/** The stored form of limits; empty: none. */
export function writeLimits({ models, addresses }: KeyLimits = {}): string {
  return models === undefined && addresses === undefined ? '' : JSON.stringify({ models, addresses })
}

/** Reads stored limits; unreadable ones allow nothing. */
export function readLimits(text: string): KeyLimits {
  if (text === '') return {}
  const read = parsedAs(stored, text)
  if (read === undefined) return { models: [], addresses: [] }
  const { models, addresses } = read
  return { ...(models && { models }), ...(addresses && { addresses }) }
}

/** Whether it is an address, or a network as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0 || address.includes('%')) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Tells whether an address is one of these, or in one of these networks. */
export function admits(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks.filter(isNetwork)) {
    const [address = '', bits] = network.split('/')
    const kind = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(address, bits === undefined ? (kind === 'ipv4' ? 32 : 128) : Number(bits), kind)
  }
  return (address) => {
    // Sockets for both kinds show IPv4 addresses as IPv6.
    const plain = /^(?:0{0,4}:){2,6}ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}
