/** Leases within one process, for `heddle up` while it is the only writer. */
import { clockFence, type Leases } from './lease.js'

export class LocalLeases implements Leases {
  private readonly tails = new Map<string, Promise<unknown>>()

  async hold<T>(name: string, work: (fence: bigint) => Promise<T>): Promise<T> {
    const before = this.tails.get(name) ?? Promise.resolve()
    const mine = before.then(() => work(clockFence()))
    const tail = mine.catch(() => undefined)
    this.tails.set(name, tail)
    try {
      return await mine
    } finally {
      if (this.tails.get(name) === tail) this.tails.delete(name)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.tails.values())
  }
}
