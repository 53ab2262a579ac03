/**
 * Twelve of the 23 files that a small insert waits for are skip indexes of a part that is merged in a moment, and is read
 * as fast without them. Merges make them.
 */
const SMALL = 5_000
const WITHOUT_INDEXES = { materialize_skip_indexes_on_insert: 0 } as const

/** For an insert of so many rows. */
export function insertSettings(rows: number): Partial<typeof WITHOUT_INDEXES> {
  return rows < SMALL ? WITHOUT_INDEXES : {}
}
