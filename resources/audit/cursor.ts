/** Where a page of the audit log ends, as callers send it back. Pure. */
import { errors } from '../../platform/errors/catalog.js'
import type { EntryRow, Place } from './statements.js'

export const cursorOf = ({ began_micros, id }: Pick<EntryRow, 'began_micros' | 'id'>): string =>
  `${began_micros}.${id}`

/** @throws 400 for what {@link cursorOf} did not make */
export function placeOf(cursor: string): Place {
  const [, beganAt, id] = /^(\d{1,16})\.([\w-]{1,60})$/.exec(cursor) ?? []
  if (beganAt === undefined || id === undefined)
    throw errors.badRequest('The cursor is not the next_cursor of a page; leave it out to begin anew.')
  return { beganAt: Number(beganAt), id }
}
