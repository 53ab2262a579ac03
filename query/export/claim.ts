/**
 * Lets one export at a time write to a destination, by means of the destination alone: a folder and every object store
 * show what was written to all who look. An exporter writes a claim and then reads all of them: if it is alone, it goes on;
 * otherwise it withdraws, and tries again after a random time. So two never both find themselves alone.
 * A claim ends by the clocks of the machines, which may differ by half of {@link CLAIM_MS}, or with its process, if that was
 * on the machine of the one who looks.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import { collect } from '../../platform/bytes/collect.js'
import { isAlive } from '../../platform/files/is-alive.js'

const FOLDER = '_exporting'
/** What one who died leaves keeps others waiting for so long. */
const CLAIM_MS = 60_000
const RENEW_MS = 10_000

interface Claim {
  /** ms since 1970 */
  until: number
  host: string
  process: number
}

export interface ClaimOptions {
  signal: AbortSignal
  /** called once, if another export is at work */
  waiting: () => void
}

/**
 * @param work gets a check to call before each step; it throws if another export may have begun
 * @throws what `work` throws, and when the signal aborts
 */
export async function withClaim<T>(
  to: Artifacts,
  { signal, waiting }: ClaimOptions,
  work: (check: () => void) => Promise<T>,
): Promise<T> {
  const own = `${FOLDER}/${randomUUID()}.json`
  let until = 0
  const claim = async () => {
    const now = Date.now()
    const value: Claim = { until: now + CLAIM_MS, host: hostname(), process: process.pid }
    await to.put(own, Buffer.from(JSON.stringify(value)))
    until = now + CLAIM_MS
  }
  for (let told = false; ; ) {
    if (!(await othersAt(to, own))) {
      await claim()
      if (!(await othersAt(to, own))) break
      await to.delete(own)
    }
    if (!told) waiting()
    told = true
    await pause(500 + Math.random() * 1000, undefined, { signal })
  }
  const renewal = setInterval(() => void claim().catch(() => undefined), RENEW_MS)
  try {
    return await work(() => {
      signal.throwIfAborted()
      if (Date.now() > until - CLAIM_MS / 2)
        throw new Error('the destination did not take the claim of this export in time; export again')
    })
  } finally {
    clearInterval(renewal)
    await to.delete(own).catch(() => undefined)
  }
}

/** Whether another export claims the destination; removes claims that have ended. */
async function othersAt(to: Artifacts, own: string): Promise<boolean> {
  for await (const key of to.keys(FOLDER)) {
    if (key === own) continue
    const content = await to.get(key)
    if (!content) continue
    const { until, host, process: owner } = JSON.parse((await collect(content)).toString()) as Claim
    if (until > Date.now() && (host !== hostname() || isAlive(owner))) return true
    await to.delete(key)
  }
  return false
}
