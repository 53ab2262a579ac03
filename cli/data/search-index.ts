/** `heddle search-index`: makes or drops the index of words, and says how far it is. */
import { ADD_SEARCH_INDEX, DROP_SEARCH_INDEX, searchIndexState } from '../../domain/calls/search-index.js'
import { mutationsEnd } from '../../platform/clickhouse/mutations.js'
import { render } from '../../platform/clickhouse/render.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { CommandError } from '../command.js'
import { Progress } from '../progress.js'
import { size } from '../size.js'

/** @param cluster its name; undefined: one server @returns the state after it */
export async function changeSearchIndex(
  store: Store,
  what: string,
  cluster: string | undefined,
): Promise<string> {
  if (!['on', 'off', 'show'].includes(what)) throw new CommandError('say on, off or show', 2)
  const run = async (statements: readonly string[]) => {
    for (const statement of statements.flatMap((one) => render(one, cluster)))
      await store.runTrusted(statement)
  }
  if (what === 'off') await run(DROP_SEARCH_INDEX)
  if (what === 'on')
    for (const [column, statements] of Object.entries(ADD_SEARCH_INDEX)) {
      await run(statements)
      await untilMade(store, column)
    }
  const { isThere, bytes, partsLeft } = await searchIndexState(store)
  if (!isThere) return 'there is no index of words'
  const left = partsLeft === 0 ? '' : `; it is being made for ${partsLeft} more parts`
  return `the index of words has ${size(bytes)}${left}`
}

/** Resolves when the engine has made the index of what is stored. */
async function untilMade(store: Store, column: string): Promise<void> {
  let progress: Progress | undefined
  let all = 0
  await mutationsEnd(store, 'calls', undefined, (left) => {
    all ||= left
    progress ??= new Progress(`parts of ${column} indexed`, all)
    progress.at(Math.max(all - left, 0))
  })
  progress?.end(all)
}
