/** Ids derived from a name: the same name always gives the same id. */
import { createHash } from 'node:crypto'

/** An id for `name`, in the shape of a UUID (version 8). */
export function derivedId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
