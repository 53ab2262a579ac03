/** Times of the wire (ns since the epoch, 64 bits) as µs and as text. Knows no clock. */

/** Whole µs of the ns at `pos`, 64 bits little endian; exact until the year 2255, where µs outgrow a double. */
export function microsOfNanos(buf: Buffer, pos: number): number {
  return Number(buf.readBigUInt64LE(pos) / 1000n)
}

/** The ns at `pos` as `2026-01-01T00:00:00.000000000Z`. */
export function timeText(buf: Buffer, pos: number): string {
  const time = buf.readBigUInt64LE(pos)
  const second = new Date(Number(time / 1_000_000_000n) * 1000).toISOString().slice(0, 20)
  return `${second}${String(time % 1_000_000_000n).padStart(9, '0')}Z`
}
