/**
 * Tables that were stored lately, to be found again at the beginning of a longer list: a large table comes in chunks,
 * each of which is a table, and then as the list of all their rows. Knows nothing of the store.
 */
import { tableDigestOf } from '../../domain/refs/digest.js'
import { inTurns } from '../../platform/batch/turns.js'
import { Lru } from '../../platform/lru/lru.js'
import type { DigestList } from './digest-list.js'
import type { Copied, TableKey } from './sql.js'

const REMEMBERED = 10_000
/** Digests that are digested in one turn of the event loop: four megabytes, a few milliseconds. */
const TURN = 100_000

export class RecentTables {
  /** by project and the first of their rows */
  private readonly tables = new Lru<{ digest: string; length: number }>(REMEMBERED)

  /** Takes note of a table that is stored. @param first digest of its first row */
  note({ project, digest }: TableKey, first: string | undefined, length: number): void {
    if (first !== undefined) this.tables.set(nameOf(project, first), { digest, length })
  }

  /** The tables that `list` begins with, one after the other, as far as they are known. */
  async beginning(project: string, list: DigestList): Promise<Copied[]> {
    const found: Copied[] = []
    for (let at = 0; at < list.length; ) {
      const table = this.tables.get(nameOf(project, list.at(at)))
      if (table === undefined || at + table.length > list.length) break
      if ((await tableDigestOf(joined(list, at, table.length))) !== table.digest) break
      found.push({ table: table.digest, range: { from: 0, to: table.length }, at })
      at += table.length
      // Others have their turn between short ones, too.
      await new Promise(setImmediate)
    }
    return found
  }
}

async function* joined(list: DigestList, at: number, length: number): AsyncGenerator<Uint8Array> {
  for await (const { from, to } of inTurns(length, TURN)) yield list.joined(at + from, at + to)
}

function nameOf(project: string, first: string): string {
  return `${project} ${first}`
}
