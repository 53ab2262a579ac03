/**
 * Keeps the tokens of completions that are logged as calls, if their request or its project asks for that. Writes in
 * the background, a batch at a time.
 */
import type { TokenIds } from '../../domain/chat/collect.js'
import { keepingProjects } from '../../domain/token-ids/setting.js'
import { type CallTokens, writeTokens } from '../../domain/token-ids/tokens.js'
import { Batcher } from '../../platform/batch/batcher.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { Backoff } from '../../platform/retry/backoff.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import type { TraceRequest } from './trace-request.js'

/** How old what is known of projects may be. */
const KNOWN_MS = 2_000
const BATCH = { items: 1000, weight: 2 ** 21, gapMs: 100, weigh: ({ prompt }: CallTokens) => prompt.length }
/** Tokens that wait for the store; more are lost. */
const MOST_WAITING = 2 ** 24
const TRIES = 5

/** `true` or `false`, whatever the project's setting is. */
const KEEP_HEADER = 'x-heddle-keep-token-ids'

export class TokenKeeper {
  private projects: Promise<Set<string>> | undefined
  private readAt = Number.NEGATIVE_INFINITY
  private waiting = 0
  private readonly writing = new Set<Promise<void>>()
  private readonly stopping = new AbortController()
  private readonly lost
  private readonly batcher = new Batcher(async (calls: readonly CallTokens[]) => {
    await this.write(calls)
    return calls.map(() => undefined)
  }, BATCH)

  constructor(
    private readonly store: Store,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    this.lost = metrics.counter(
      'chat_token_ids_lost_total',
      'Chat completions whose tokens could not be kept.',
    )
  }

  /** Whether a completion's tokens are kept. @param asked the request wants them for itself, too */
  async wants(
    headers: ReadonlyMap<string, string>,
    trace: TraceRequest | undefined,
    asked: boolean,
  ): Promise<boolean> {
    if (!trace) return false
    const said = headers.get(KEEP_HEADER)?.trim()
    if (said === 'true' || said === 'false') return said === 'true'
    return asked || (await this.known()).has(trace.project)
  }

  /** Writes them, soon. */
  keep({ project, id }: TraceRequest, tokens: TokenIds): void {
    const size = tokens.prompt.length
    if (this.waiting + size > MOST_WAITING) {
      this.lose('too many are waiting')
      return
    }
    this.waiting += size
    const written = this.batcher
      .ask({ project, callId: id, ...tokens })
      .catch((error: Error) => this.lose(error.message))
      .finally(() => {
        this.waiting -= size
        this.writing.delete(written)
      })
    this.writing.add(written)
  }

  /** Resolves when all are written or lost. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.writing)
  }

  private async write(calls: readonly CallTokens[]): Promise<void> {
    const backoff = new Backoff({ firstMs: 200, longestMs: 5_000 })
    for (let tries = 1; ; tries++) {
      try {
        return await writeTokens(this.store, calls)
      } catch (error) {
        if (tries >= TRIES || this.stopping.signal.aborted) throw error
      }
      await backoff.wait(this.stopping.signal)
    }
  }

  private lose(why: string): void {
    this.lost.inc()
    this.log.warn({ why }, 'could not keep the tokens of a chat completion')
  }

  /** The projects that keep tokens; while the store is away, those of before. */
  private known(): Promise<Set<string>> {
    const now = performance.now()
    const before = this.projects
    if (before && now - this.readAt < KNOWN_MS) return before
    this.readAt = now
    this.projects = keepingProjects(this.store).catch(() => before ?? new Set())
    return this.projects
  }
}
