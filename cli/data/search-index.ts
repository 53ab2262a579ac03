/** `heddle search-index`: makes or drops the index of words, and says how far it is. */
import { ADD_SEARCH_INDEX, DROP_SEARCH_INDEX, searchIndexState } from '../../domain/calls/search-index.js'
import { render } from '../../platform/clickhouse/render.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { CommandError } from '../command.js'
import { size } from '../size.js'

const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  on: ADD_SEARCH_INDEX,
  off: DROP_SEARCH_INDEX,
  show: [],
}

/** @param cluster its name; undefined: one server @returns the state after it */
export async function changeSearchIndex(
  store: Store,
  what: string,
  cluster: string | undefined,
): Promise<string> {
  if (!Object.hasOwn(STATEMENTS, what)) throw new CommandError('say on, off or show', 2)
  const statements = STATEMENTS[what]!.flatMap((statement) => render(statement, cluster))
  for (const statement of statements) await store.runTrusted(statement)
  const { isThere, bytes, partsLeft } = await searchIndexState(store)
  if (!isThere) return 'there is no index of words'
  const left = partsLeft === 0 ? '' : `; it is being made for ${partsLeft} more parts`
  return `the index of words has ${size(bytes)}${left}`
}
