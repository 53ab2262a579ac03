/** Addresses of the Internet Protocol, and networks of them. Pure. */
import { BlockList, isIP } from 'node:net'

/** Whether it is an address, or a network such as `10.0.0.0/8` or `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0 || address.includes('%')) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** These addresses and networks as a set; what is neither is left out. */
export function networkSet(networks: readonly string[]): BlockList {
  const set = new BlockList()
  for (const network of networks.filter(isNetwork)) {
    const { address, bits, family } = partsOf(network)
    set.addSubnet(address, bits, family)
  }
  return set
}

/** True if each address of a network is in one of `networks`. */
export function isWithin(network: string, networks: readonly string[]): boolean {
  const inner = partsOf(network)
  return networks.some((one) => {
    const outer = partsOf(one)
    const isWider = outer.family === inner.family && outer.bits <= inner.bits
    return isWider && networkSet([one]).check(inner.address, inner.family)
  })
}

function partsOf(network: string) {
  const [address = '', bits] = network.split('/')
  const [family, most] = isIP(address) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const)
  return { address, family, bits: bits === undefined ? most : Number(bits) }
}

/** Tells whether an address is one of these, or in one of these networks. */
export function admits(networks: readonly string[]): (address: string) => boolean {
  const set = networkSet(networks)
  return (address) => {
    const plain = canonical(address)
    return plain !== undefined && set.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')
  }
}

/** What limits count as one caller: an IPv4 address, or the network of 64 bits that a subscriber to IPv6 has. */
export function subscriberOf(address: string): string {
  const plain = canonical(address)
  if (plain === undefined || isIP(plain) === 4) return plain ?? address
  const [head = '', tail = ''] = plain.split('::')
  const [left, right] = [head, tail].map((part) => (part === '' ? [] : part.split(':')))
  const middle = plain.includes('::') ? Array<string>(8 - left!.length - right!.length).fill('0') : []
  return `${[...left!, ...middle, ...right!].slice(0, 4).join(':')}::/64`
}

/**
 * The one spelling of an address: IPv6 as RFC 5952 has it, and IPv4 that is written as IPv6, as sockets for both kinds
 * show it, as IPv4. Undefined: it is none.
 */
export function canonical(address: string): string | undefined {
  const version = isIP(address)
  if (version === 4) return address
  if (version === 0 || address.includes('%')) return undefined
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join('.')
}
