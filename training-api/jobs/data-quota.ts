/**
 * Limits an entity's stored training data: the data that requests are storing now, and that of its open jobs. Doesn't
 * know where data is stored.
 */
import { trainingProblems } from './problems.js'

/** One request's share of the quota. */
export interface DataQuota {
  /** @throws `DATA_LIMIT` (429) */
  take: (bytes: number) => void
  /** Moves the bytes to another owner, who already has `before`. @throws `DATA_LIMIT` (429) */
  move: (owner: string, before: number) => void
  /** releases the bytes; may be called twice */
  release: () => void
}

export class DataQuotas {
  private readonly underWay = new Map<string, number>()

  /** @param limit bytes per owner; 0: no limit */
  constructor(private readonly limit: number) {}

  /** @param before bytes of the owner's open jobs */
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
