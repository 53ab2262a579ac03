/** What the address of the page SQL holds. Pure. */
import { textsOf } from '../../app/search-text'

export interface SqlSearch {
  /** the statement that was run */
  q?: string | undefined
}

export const readSqlSearch = (given: Record<string, unknown>): SqlSearch => textsOf(given, ['q'])
