/**
 * Remembers recently stored tables, to recognize them at the beginning of a longer list: clients send a large table in
 * chunks, each a table, and then as the list of all their rows.
 */
import { tableDigestOf } from '../../domain/refs/digest.js'
import { inTurns } from '../../platform/batch/turns.js'
import { Lru } from '../../platform/lru/lru.js'
import type { DigestList } from './digest-list.js'
import type { Copied, TableKey } from './sql.js'

const REMEMBERED = 10_000
/** Digests hashed in one turn of the event loop: four megabytes, a few milliseconds. */
const TURN = 100_000

export class RecentTables {
  /** by project and first row */
  private readonly tables = new Lru<{ digest: string; length: number }>(REMEMBERED)

  /** Remembers a stored table. @param first digest of its first row */
  note({ project, digest }: TableKey, first: string | undefined, length: number): void {
    if (first !== undefined) this.tables.set(nameOf(project, first), { digest, length })
  }

  /** The remembered tables that `list` begins with, one after the other. */
  async beginning(project: string, list: DigestList): Promise<Copied[]> {
    const found: Copied[] = []
    for (let at = 0; at < list.length; ) {
      const table = this.tables.get(nameOf(project, list.at(at)))
      if (table === undefined || at + table.length > list.length) break
      if ((await tableDigestOf(joined(list, at, table.length))) !== table.digest) break
      found.push({ table: table.digest, range: { from: 0, to: table.length }, at })
      at += table.length
      // Yields to other work between short tables, too.
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
