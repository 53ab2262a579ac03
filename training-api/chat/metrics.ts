/** The metrics of chat completions and embeddings. */
import type { ChatUsage } from '../../contract/chat-answer.js'
import type { Outcome } from '../../domain/chat/run.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'

/** Of embeddings, too. */
type Counted = { usage: ChatUsage }

export class ChatMetrics {
  private readonly tokens
  private readonly ends
  private readonly firstToken

  constructor(metrics: Metrics, inFlight: () => number) {
    this.tokens = metrics.counter('chat_tokens_total', 'Tokens of chat completions and embeddings.', ['kind'])
    this.ends = metrics.counter(
      'chat_completions_total',
      'Finished chat completions and embeddings by result.',
      ['end'],
    )
    this.firstToken = metrics.histogram('chat_first_token_seconds', 'From a chat request to its first token.')
    metrics.gauge('chat_in_flight', 'Unanswered chat completions.', inFlight)
  }

  ended({ answer, error, firstTokenMs }: Outcome<Counted>): void {
    this.ends.inc({ end: error ? error.code : 'ok' })
    this.tokens.inc({ kind: 'prompt' }, answer.usage.prompt_tokens)
    this.tokens.inc({ kind: 'completion' }, answer.usage.completion_tokens)
    if (firstTokenMs !== undefined) this.firstToken.observe(firstTokenMs / 1000)
  }
}
