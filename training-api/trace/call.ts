/** Makes calls from chat completions and embeddings: as JSON for the tracing interface, or as rows. */
import type { ChatCompletionResponse } from '../../contract/chat-answer.js'
import type { FinishedCall } from '../../domain/calls/record.js'
import type { EmbeddingAnswer } from '../../domain/chat/embed.js'
import type { Target } from '../../domain/chat/resolver.js'
import type { Outcome } from '../../domain/chat/run.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import type { TraceRequest } from './trace-request.js'

/** What is known of a request. */
interface Requested {
  /** JSON of the request, unchanged */
  inputs: Uint8Array
  /** performance.now() when it arrived */
  began: number
  /** the interface by which it was asked for */
  interface: string
  streamed: boolean
}

/** A call that is not yet in a project. */
export interface LoggedCall {
  op: string
  /** JSON */
  inputs: string
  output: unknown
  attributes: object
  summary: object
  /** ms since 1970 */
  startedAt: number
  endedAt: number
  /** one sentence; undefined: success */
  error: string | undefined
}

export function completionCall(outcome: Outcome, target: Target, requested: Requested): LoggedCall {
  const { answer } = outcome
  return callOf(outcome, target, requested, {
    op: 'chat.completions',
    kind: 'llm',
    output: answer.choices.length > 0 ? answer : undefined,
  })
}

/** The vectors are left out: they are long, and can be made again from the inputs. */
export function embeddingCall(
  outcome: Outcome<EmbeddingAnswer>,
  target: Target,
  requested: Pick<Requested, 'inputs' | 'began'>,
): LoggedCall {
  const { vectors, usage } = outcome.answer
  const [first] = vectors
  const output = first && {
    ...{ object: 'list', model: target.name, embeddings: vectors.length, dimensions: first.length / 4 },
    usage: { prompt_tokens: usage.prompt_tokens, total_tokens: usage.total_tokens },
  }
  return callOf(
    outcome,
    target,
    { ...requested, interface: 'embeddings', streamed: false },
    { op: 'embeddings', kind: 'embedding', output },
  )
}

function callOf(
  { answer: { usage }, error, firstTokenMs }: Outcome<ChatCompletionResponse | EmbeddingAnswer>,
  target: Target,
  { inputs, began, interface: by, streamed }: Requested,
  { op, kind, output }: { op: string; kind: string; output: unknown },
): LoggedCall {
  const failed = error === undefined ? 0 : 1
  const endedAt = Date.now()
  const used = usage.total_tokens > 0 && {
    [target.name]: {
      requests: 1,
      prompt_tokens: usage.prompt_tokens,
      completion_tokens: usage.completion_tokens,
      total_tokens: usage.total_tokens,
      cache_read_input_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    },
  }
  return {
    op,
    inputs: Buffer.from(inputs).toString('utf8'),
    output: output ?? null,
    attributes: { kind, source: 'heddle', interface: by, base_model: target.base, streamed },
    summary: {
      ...(used && { usage: used }),
      status_counts: { success: 1 - failed, error: failed },
      ...(firstTokenMs !== undefined && { time_to_first_token_ms: Math.round(firstTokenMs * 10) / 10 }),
    },
    startedAt: endedAt - (performance.now() - began),
    endedAt,
    error: error?.reason,
  }
}

/** @returns the text of one element of a batch */
export function callText(
  { project, id, traceId, parentId, threadId }: TraceRequest,
  call: LoggedCall,
): string {
  const { op, output, attributes, summary, error } = call
  const rest = {
    ...{ project_id: project, id, trace_id: traceId, parent_id: parentId, op_name: op },
    thread_id: threadId,
    started_at: new Date(call.startedAt).toISOString(),
    ended_at: new Date(call.endedAt).toISOString(),
    ...{ attributes, output, exception: error ?? null, summary },
  }
  return `{"inputs":${call.inputs},${JSON.stringify(rest).slice(1)}`
}

/** A call of a batch's line, in its project. */
export function finishedCall(
  call: LoggedCall,
  { project, userId, batch }: { project: string; userId: string; batch: string },
): FinishedCall {
  return {
    ...{ project, id: uuid7(), traceId: uuid7(), opName: call.op, userId, inputs: call.inputs },
    ...{ startedAt: Math.round(call.startedAt * 1000), endedAt: Math.round(call.endedAt * 1000) },
    attributes: JSON.stringify({ ...call.attributes, batch }),
    output: JSON.stringify(call.output),
    summary: JSON.stringify(call.summary),
    exception: call.error ?? '',
  }
}
