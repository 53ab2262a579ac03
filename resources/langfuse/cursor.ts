/** The cursors of Langfuse's lists: the place of a page's last row, as text that the SDKs hand back. Pure. */
import { errors } from '../../platform/errors/catalog.js'

/** A place in a list that is sorted by time and id. */
export interface Place {
  /** µs since the epoch */
  created: number
  id: string
}

export function cursorText({ created, id }: Place): string {
  return Buffer.from(JSON.stringify([created, id])).toString('base64url')
}

/** @throws 400 for a text that {@link cursorText} didn't make */
export function readCursor(text: string): Place {
  try {
    const [created, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if (Number.isSafeInteger(created) && typeof id === 'string') return { created: created as number, id }
  } catch {
    // It is refused below.
  }
  throw errors.badRequest(
    'The cursor is none of an earlier answer; leave it out to begin with the first page.',
  )
}
