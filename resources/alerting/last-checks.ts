/** When alerts were checked last, and what they had: written by the process that checks, read by all. Lost with Redis. */
import type { Redis } from 'ioredis'
import type { Alert } from './alerts.js'

export interface LastCheck {
  /** ms since the epoch */
  at: number
  /** of the group that is worst off */
  value: number | null
  /** why there was none; empty: there was */
  problem: string
}

const KEPT_S = 7 * 86_400
const keyOf = (projectId: string) => `heddle:alerts:${projectId}`

export class LastChecks {
  private noted: [key: string, name: string, text: string][] = []

  constructor(private readonly redis: Redis) {}

  note({ projectId, name }: Alert, check: LastCheck): void {
    this.noted.push([keyOf(projectId), name, JSON.stringify(check)])
  }

  /** Sends what was noted. @throws what Redis throws */
  async keep(): Promise<void> {
    if (this.noted.length === 0) return
    const pipeline = this.redis.pipeline()
    for (const [key, name, text] of this.noted) pipeline.hset(key, name, text)
    for (const key of new Set(this.noted.map(([one]) => one))) pipeline.expire(key, KEPT_S)
    this.noted = []
    await pipeline.exec()
  }

  /** By the name of the alert; empty if Redis is away. */
  async read(projectId: string): Promise<Map<string, LastCheck>> {
    const found = await this.redis.hgetall(keyOf(projectId)).catch(() => ({}))
    return new Map(Object.entries(found).map(([name, text]) => [name, JSON.parse(text) as LastCheck]))
  }
}
