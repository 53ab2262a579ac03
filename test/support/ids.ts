/** Ids as clients make them: UUIDv7 for calls, hex for spans and traces; and names nobody else uses. */
import { randomBytes } from 'node:crypto'

/** A UUIDv7 of this moment. */
export function uuid7(now = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Lower-case hex of `bytes` random bytes. */
export function hex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

let projects = 0

/** A project that no other test uses. */
export function freshProject(entity = 'acme'): string {
  return `${entity}/p${process.pid}-${++projects}-${hex(3)}`
}
