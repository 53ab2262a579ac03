/** What the address of the page SQL holds. Pure. */

export interface SqlSearch {
  /** the statement that was run */
  q?: string | undefined
}

export function readSqlSearch({ q }: Record<string, unknown>): SqlSearch {
  return q === undefined || q === '' ? {} : { q: String(q) }
}
