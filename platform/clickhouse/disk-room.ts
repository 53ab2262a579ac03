/** How much of a disk writes leave free, so that reads go on and what was acknowledged finds room. Pure. */

const MOST = 64 * 2 ** 20
const SHARE = 1 / 16

/** Bytes of a disk of this size below which writes are refused; an embedded engine leaves what its log needs as well. */
export function leftFree(size: number): number {
  return Math.min(MOST, size * SHARE)
}

/**
 * An insert with this header is part of something that makes room, and may use what an embedded engine keeps for deletes.
 * Servers do not know it.
 */
export const MAY_USE_RESERVE = 'x-clickhouse-may-use-reserve'
