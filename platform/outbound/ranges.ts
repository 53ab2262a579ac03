/**
 * Addresses that a caller may not make the service connect to: everything outside the public internet (IANA's
 * special-purpose registries for IPv4 and IPv6).
 */
import { BlockList, isIP } from 'node:net'

const PRIVATE_V4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Everything assigned for the public internet so far; the rest is private or unassigned. */
const PUBLIC_V6 = /^[23][0-9a-f]{3}:/
/** The special ranges within it. */
const PRIVATE_V6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
]
/**
 * IPv6 forms that carry an IPv4 address, the one that is reached: where its 32 bits start, in groups of 16. They are
 * mapped (RFC 4291), NAT64 with the well-known prefix (RFC 6052), and 6to4 (RFC 3056).
 */
const CARRIERS: readonly { prefix: RegExp; at: number }[] = [
  { prefix: /^0:0:0:0:0:ffff:/, at: 6 },
  { prefix: /^64:ff9b:0:0:0:0:/, at: 6 },
  { prefix: /^2002:/, at: 1 },
]

const blocked = new BlockList()
for (const [address, bits] of PRIVATE_V4) blocked.addSubnet(address, bits, 'ipv4')
for (const [address, bits] of PRIVATE_V6) blocked.addSubnet(address, bits, 'ipv6')

/** True if `address` (an IP in text form) is outside the public internet, or is not an address. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 4) return blocked.check(bare, 'ipv4')
  if (family !== 6) return true
  const groups = groupsOf(bare)
  const inner = carriedV4(groups)
  if (inner !== undefined) return blocked.check(inner, 'ipv4')
  return !PUBLIC_V6.test(groups) || blocked.check(bare, 'ipv6')
}

/** True if `address` may be reached: it is public, or in a range that the operator allows. */
export function mayReach(address: string, allowed: BlockList): boolean {
  if (!isPrivateAddress(address)) return true
  const bare = address.replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 4) return allowed.check(bare, 'ipv4')
  const inner = family === 6 ? carriedV4(groupsOf(bare)) : undefined
  if (inner !== undefined) return allowed.check(inner, 'ipv4')
  return family === 6 && allowed.check(bare, 'ipv6')
}

/** The IPv4 address carried by a mapped, NAT64 or 6to4 IPv6 address, given its groups. */
function carriedV4(groups: string): string | undefined {
  const carrier = CARRIERS.find(({ prefix }) => prefix.test(groups))
  if (!carrier) return undefined
  const [high = 0, low = 0] = groups
    .split(':')
    .slice(carrier.at, carrier.at + 2)
    .map((group) => Number.parseInt(group, 16))
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

/** The eight groups of an IPv6 address in normal form, each followed by a colon: `2001:db8:0:0:0:0:0:1:`. */
function groupsOf(address: string): string {
  return expand(address)
    .map((group) => `${group.toString(16)}:`)
    .join('')
}

/** The groups as numbers. */
function expand(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [a, b, c, d] = dotted ? dotted.slice(2).map(Number) : []
  const text = dotted
    ? `${dotted[1]}${((a! << 8) | b!).toString(16)}:${((c! << 8) | d!).toString(16)}`
    : address
  const [head = '', tail] = text.split('::')
  const groups = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  if (tail === undefined) return groups(head)
  const [left, right] = [groups(head), groups(tail)]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}
