/** UUIDv7 (RFC 9562 §5.7): makes time-ordered ids, and reads the time from ids that clients made. */
import { randomFillSync } from 'node:crypto'

const pool = Buffer.allocUnsafe(4096)
let used = pool.length

/** A new UUIDv7 with dashes; `now` in ms since the epoch. */
export function uuid7(now = Date.now()): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, used + 10)
  used += 10
  random[0] = (random[0]! & 0x0f) | 0x70
  random[2] = (random[2]! & 0x3f) | 0x80
  const time = now.toString(16).padStart(12, '0')
  const tail = random.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-${tail.slice(0, 4)}-${tail.slice(4, 8)}-${tail.slice(8)}`
}

/** The time in ms inside a dashed UUIDv7, or undefined if `id` is not one. */
export function uuid7Time(id: string): number | undefined {
  if (id.length !== 36 || id[14] !== '7' || id[8] !== '-' || id[13] !== '-') return undefined
  const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
  return Number.isNaN(time) ? undefined : time
}
