/** The columns of a call that say all about it: named one by one, so that values of any size come along. */
import { CALL_COLUMNS as COLUMNS } from '../../domain/calls/schema.js'

export const CALL_COLUMNS: readonly string[] = [
  ...COLUMNS.filter(({ field }) => field !== null).map(({ inputName }) => inputName),
  'deleted_at',
]
