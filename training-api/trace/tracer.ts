/**
 * Writes calls through the tracing interface, behind the back of who waits for an answer: gathered for a moment, sent
 * again while the store is away, dropped (and counted) when too many wait. Knows nothing of chat.
 * No Batcher: nobody waits for a call, and those of one key and project go together.
 */

import { Backoff } from '../../platform/retry/backoff.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'

const GATHER_MS = 50
const BATCH_BYTES = 4 * 2 ** 20
const HELD_BYTES = 64 * 2 ** 20
const TRIES = 8
const TIMEOUT_MS = 30_000
/** What can't be written within this when the process stops is lost: whoever stopped it waits. */
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

  /** @param url of the tracing interface, read when it is needed; undefined: calls can't be written */
  constructor(
    private readonly url: () => string | undefined,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.lost = metrics.counter('chat_traces_lost_total', 'Chat completions whose call could not be logged.')
  }

  /** Writes one call. @param text as the tracing interface takes it in a batch */
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

  /** Resolves when everything is written, or lost. @param stopMs what is not written by then is lost */
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
    const place = project.split('/').map(encodeURIComponent).join('/')
    const body = `{"batch":[${texts.join(',')}]}`
    const { signal } = this.stopping
    let why = ''
    const backoff = new Backoff({ firstMs: 200, longestMs: 10_000 })
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const answer = await fetch(`${url}/v2/${place}/calls/complete`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body,
          signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), signal]),
        })
        if (answer.ok) return void (await answer.arrayBuffer())
        why = `${answer.status} ${(await answer.text()).slice(0, 300)}`
        if (answer.status < 500 && answer.status !== 429) {
          // One that is refused takes none of the others with it.
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
