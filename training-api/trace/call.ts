/** Makes a call, as JSON for the tracing interface, from a chat completion. Pure. */
import type { ChatUsage } from '../../contract/chat-answer.js'
import type { TraceRequest } from './trace-request.js'

export interface Completion {
  /** the request's body, unchanged JSON */
  inputs: string
  /** the answer, or the part of it that was received */
  output: unknown
  /** ms since 1970 */
  startedAt: number
  endedAt: number
  /** ms until the first part of the answer; undefined: there was none */
  firstTokenMs: number | undefined
  model: string
  base: string
  usage: ChatUsage | undefined
  /** the interface by which it was asked for */
  interface: string
  streamed: boolean
  /** one sentence; undefined: success */
  error: string | undefined
}

const OP = 'chat.completions'

/** @returns the text of one element of a batch */
export function callText(
  { project, id, traceId, parentId, threadId }: TraceRequest,
  completion: Completion,
): string {
  const { usage, error, firstTokenMs } = completion
  const failed = error === undefined ? 0 : 1
  const used = usage && {
    [completion.model]: {
      requests: 1,
      prompt_tokens: usage.prompt_tokens,
      completion_tokens: usage.completion_tokens,
      total_tokens: usage.total_tokens,
      cache_read_input_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    },
  }
  const rest = {
    project_id: project,
    id,
    trace_id: traceId,
    parent_id: parentId,
    thread_id: threadId,
    op_name: OP,
    started_at: new Date(completion.startedAt).toISOString(),
    ended_at: new Date(completion.endedAt).toISOString(),
    attributes: {
      ...{ kind: 'llm', source: 'heddle', interface: completion.interface },
      ...{ base_model: completion.base, streamed: completion.streamed },
    },
    output: completion.output ?? null,
    exception: error ?? null,
    summary: {
      ...(used && { usage: used }),
      status_counts: { success: 1 - failed, error: failed },
      ...(firstTokenMs !== undefined && { time_to_first_token_ms: Math.round(firstTokenMs * 10) / 10 }),
    },
  }
  return `{"inputs":${completion.inputs},${JSON.stringify(rest).slice(1)}`
}
