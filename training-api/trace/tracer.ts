/**
 * Writes calls through the tracing interface in the background: batches them briefly, retries while the store is
 * unreachable, and drops (and counts) them when too many wait. It doesn't use Batcher, since no caller waits for a
 * call, and a batch holds the calls of one key and project.
 */

import { Backoff } from '../../platform/retry/backoff.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'

const GATHER_MS = 50
const BATCH_BYTES = 4 * 2 ** 20
const HELD_BYTES = 64 * 2 ** 20
const TRIES = 8
const TIMEOUT_MS = 30_000
/** How long a stopping process waits for calls to be written; the rest are lost. */
const STOP_MS = 5_000

interface Batch {
  authorization: string
  project: string
  texts: string[]
  bytes: number
}

export class Tracer {
  private readonly gathering = new Map<string, Batch>()
  private readonly sending = new Set<Promise<void>>()
  private timer: NodeJS.Timeout | undefined
  private held = 0
  private readonly stopping = new AbortController()
  private readonly lost

  /** @param url the tracing interface's, read when needed; undefined: calls can't be written */
  constructor(
    private readonly url: () => string | undefined,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.lost = metrics.counter('chat_traces_lost_total', 'Chat completions whose call could not be logged.')
  }

  /** Writes one call. @param text one element of the tracing interface's batch */
  write(authorization: string, project: string, text: string): void {
    if (this.held + text.length > HELD_BYTES) {
      this.lose(1, 'too many are waiting')
      return
    }
    this.held += text.length
    const key = `${authorization}\n${project}`
    let batch = this.gathering.get(key)
    if (!batch) {
      batch = { authorization, project, texts: [], bytes: 0 }
      this.gathering.set(key, batch)
    }
    batch.texts.push(text)
    batch.bytes += text.length
    if (batch.bytes >= BATCH_BYTES) this.send(key, batch)
    else this.timer ??= setTimeout(() => this.flush(), GATHER_MS)
  }

  /** Resolves when every call is written or lost. @param stopMs calls not written by then are lost */
  async stop(stopMs = STOP_MS): Promise<void> {
    this.flush()
    const late = setTimeout(() => this.stopping.abort(), stopMs)
    await Promise.all(this.sending)
    clearTimeout(late)
  }

  private flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    for (const [key, batch] of this.gathering) this.send(key, batch)
  }

  private send(key: string, batch: Batch): void {
    this.gathering.delete(key)
    const sent = this.deliver(batch).finally(() => {
      this.held -= batch.bytes
      this.sending.delete(sent)
    })
    this.sending.add(sent)
  }

  /** Never rejects. */
  private async deliver(batch: Batch): Promise<void> {
    const { authorization, project, texts } = batch
    const url = this.url()
    if (url === undefined) return this.lose(texts.length, 'HEDDLE_TRACING_URL is not set')
    const path = project.split('/').map(encodeURIComponent).join('/')
    const body = `{"batch":[${texts.join(',')}]}`
    const { signal } = this.stopping
    let why = ''
    const backoff = new Backoff({ firstMs: 200, longestMs: 10_000 })
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const answer = await fetch(`${url}/v2/${path}/calls/complete`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body,
          signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), signal]),
        })
        if (answer.ok) return void (await answer.arrayBuffer())
        why = `${answer.status} ${(await answer.text()).slice(0, 300)}`
        if (answer.status < 500 && answer.status !== 429) {
          // One refused call must not lose the others.
          if (texts.length > 1) return void (await this.singly(batch))
          break
        }
      } catch (error) {
        why = (error as Error).message
      }
      await backoff.wait(signal)
      if (signal.aborted) break
    }
    this.lose(texts.length, why)
  }

  private async singly({ texts, ...batch }: Batch): Promise<void> {
    for (const text of texts) await this.deliver({ ...batch, texts: [text] })
  }

  private lose(count: number, why: string): void {
    this.lost.inc(count)
    this.log.warn({ count, why }, 'could not write the calls of chat completions')
  }
}
