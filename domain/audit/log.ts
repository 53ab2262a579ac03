/**
 * Writes the audit log: a chain for each process, begun with the ends of all others. Lines of the same moment share an
 * insert.
 */
import { Batcher } from '../../platform/batch/batcher.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { nowMicros } from '../../platform/time/iso.js'
import { chained, headsIn, headsTarget, untold } from './chain.js'
import type { Entry, Head } from './line.js'
import { chainHeads, headLines, insertLines } from './table.js'

/** A store that takes longer does not answer at all. */
const PATIENCE_MS = 10_000

export class AuditLog {
  private readonly batches: Batcher<Entry, undefined>
  /** the end of this process's chain; undefined: it has none, or it is not known what became of its last lines */
  private head: Head | undefined

  constructor(private readonly store: Store) {
    this.batches = new Batcher((entries: readonly Entry[]) => this.append(entries))
  }

  /** Resolves when the line is durable. @throws `HeddleError` if it may not be */
  write(entry: Entry): Promise<void> {
    return this.batches.ask(entry)
  }

  /** Begins the chain, which tells how long the others are. @throws `HeddleError` if that may not be durable */
  open(): Promise<void> {
    return this.batches.ask(opening(headsTarget([])))
  }

  private async append(entries: readonly Entry[]): Promise<undefined[]> {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const { head } = this
    const isNew = head === undefined
    const first = isNew ? [opening(await this.otherHeads(signal))] : []
    const rest = entries.filter(({ phase }) => phase !== 'heads')
    const lines = chained(head ?? { chain: uuid7(), seq: 0, hash: '' }, [...first, ...rest], nowMicros())
    // If this fails, its lines may be there or not, so nothing can follow them: the next ones begin another chain.
    this.head = undefined
    // Deletes make room on a full disk, and must not wait for it.
    const mayUseReserve = rest.some(({ category }) => category === 'deletion')
    await insertLines(this.store, lines, { signal, mayUseReserve })
    this.head = lines.at(-1) ?? head
    return entries.map(() => undefined)
  }

  private async otherHeads(signal: AbortSignal): Promise<string> {
    const [heads, told] = await Promise.all([
      chainHeads(this.store, { signal }),
      headLines(this.store, { signal }),
    ])
    return headsTarget(untold(heads, headsIn(told)))
  }
}

/** The first line of a chain. */
function opening(target: string): Entry {
  const nothing = { category: '', userId: '', username: '', keyId: '', remoteAddress: '' } as const
  return {
    ...nothing,
    ...{ phase: 'heads', id: uuid7(), beganAt: nowMicros(), action: 'chain', target, status: 0 },
    ...{ forwardedFor: '', requestId: '', entity: '', project: '', errorCode: '' },
  }
}
