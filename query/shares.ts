/** How many reads a key has under way, so that one caller can't take the store from the others. Knows no route. */
import { errors } from '../common/errors/catalog.js'
import type { Bound } from '../common/http/request.js'

export class Shares {
  private readonly running = new Map<string, number>()

  /** @param most reads of one key at once */
  constructor(private readonly most: number) {}

  /** Refuses with 429 while the key has all it may have; gives back when the answer is out. */
  readonly admit: NonNullable<Bound['admit']> = (_headers, { keyId, userId }) => {
    const key = keyId || userId
    const before = this.running.get(key) ?? 0
    if (before >= this.most) throw errors.queriesUsed(this.most)
    this.running.set(key, before + 1)
    let done = false
    return () => {
      if (done) return
      done = true
      const left = this.running.get(key)! - 1
      if (left === 0) this.running.delete(key)
      else this.running.set(key, left)
    }
  }
}
