/**
 * Tables that were stored lately, to be found again at the beginning of a longer list: a large table comes in chunks,
 * each of which is a table, and then as the list of all their rows. Knows nothing of the store.
 */
import { tableDigest } from '../../domain/refs/digest.js'
import { Lru } from '../../platform/lru/lru.js'
import type { DigestList } from './digest-list.js'
import type { Copied, TableKey } from './sql.js'

const REMEMBERED = 10_000

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
      if (tableDigest([list.joined(at, at + table.length)]) !== table.digest) break
      found.push({ table: table.digest, range: { from: 0, to: table.length }, at })
      at += table.length
      // Digesting a chunk takes a few milliseconds; others have their turn in between.
      await new Promise(setImmediate)
    }
    return found
  }
}

function nameOf(project: string, first: string): string {
  return `${project} ${first}`
}
