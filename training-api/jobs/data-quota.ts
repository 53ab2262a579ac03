/**
 * How much training data an entity may have lying here: what requests are storing at the moment, and what its jobs
 * that wait or run were given. Knows nothing of where it lies.
 */
import { trainingProblems } from './problems.js'

/** What one request takes of it. */
export interface DataQuota {
  /** @throws `DATA_LIMIT` (429) */
  take: (bytes: number) => void
  /** The bytes are another owner's from now on, who has `before` already. @throws `DATA_LIMIT` (429) */
  move: (owner: string, before: number) => void
  /** gives it back; harmless twice */
  release: () => void
}

export class DataQuotas {
  private readonly underWay = new Map<string, number>()

  /** @param limit bytes of one owner; 0: any number */
  constructor(private readonly limit: number) {}

  /** @param before bytes that the owner's jobs have */
  open(owner: string, before: number): DataQuota {
    let mine = 0
    const add = (bytes: number) => {
      const sum = (this.underWay.get(owner) ?? 0) + bytes
      if (bytes > 0 && this.limit > 0 && before + sum > this.limit)
        throw trainingProblems.dataLimit(owner, this.limit)
      mine += bytes
      if (sum > 0) this.underWay.set(owner, sum)
      else this.underWay.delete(owner)
    }
    const release = () => add(-mine)
    return {
      take: add,
      release,
      move: (next, had) => {
        const bytes = mine
        release()
        owner = next
        before = had
        add(bytes)
      },
    }
  }
}
