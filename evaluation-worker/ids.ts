/** Ids that come out the same whenever the same work is done again, so that it replaces itself. Pure. */
import { createHash } from 'node:crypto'

/** An id in the shape of a UUID, made of `parts` in their order. */
export function stableId(...parts: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
