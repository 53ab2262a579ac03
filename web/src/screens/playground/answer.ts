/** What a model answers, put together from the lines of its stream. Pure. */

export interface ToolCall {
  id: string
  name: string
  arguments: string
}

export interface Answer {
  callId: string | undefined
  text: string
  reasoning: string
  toolCalls: ToolCall[]
  error: string | undefined
  finish: string | undefined
  tokens: { input: number; output: number } | undefined
  /** ms */
  firstAt: number | undefined
  endedAt: number | undefined
}

/** A line of `/completions/create_stream`. */
export interface Line {
  _meta?: { weave_call_id?: string | null }
  error?: { message?: string }
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null
  choices?: {
    index?: number
    finish_reason?: string | null
    delta?: {
      content?: string | null
      reasoning?: string | null
      reasoning_content?: string | null
      tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[] | null
    }
  }[]
}

export const NO_ANSWER: Answer = {
  callId: undefined,
  text: '',
  reasoning: '',
  toolCalls: [],
  error: undefined,
  finish: undefined,
  tokens: undefined,
  firstAt: undefined,
  endedAt: undefined,
}

/** `answer` and what `lines` add to it. Only the first choice is followed. @param at ms since it was asked */
export function withLines(answer: Answer, lines: readonly Line[], at: number): Answer {
  const next = { ...answer, toolCalls: answer.toolCalls.map((call) => ({ ...call })) }
  for (const { _meta, error, usage, choices } of lines) {
    if (_meta?.weave_call_id) next.callId = _meta.weave_call_id
    if (error) next.error = error.message ?? 'The model failed.'
    if (usage) next.tokens = { input: usage.prompt_tokens ?? 0, output: usage.completion_tokens ?? 0 }
    for (const { index = 0, delta = {}, finish_reason: finish } of Array.isArray(choices) ? choices : []) {
      if (index !== 0) continue
      next.text += delta.content ?? ''
      next.reasoning += delta.reasoning ?? delta.reasoning_content ?? ''
      for (const part of delta.tool_calls ?? []) {
        const at = part.index ?? next.toolCalls.length
        const call = next.toolCalls[at] ?? { id: '', name: '', arguments: '' }
        next.toolCalls[at] = call
        if (part.id) call.id = part.id
        call.name += part.function?.name ?? ''
        call.arguments += part.function?.arguments ?? ''
      }
      if (finish) next.finish = finish
    }
  }
  if (next.firstAt === undefined && (next.text !== '' || next.reasoning !== '' || next.toolCalls.length > 0))
    next.firstAt = at
  return next
}

/** The answer as a message that the conversation can go on from. */
export function messageOf({ text, toolCalls }: Answer): Record<string, unknown> {
  if (toolCalls.length === 0) return { role: 'assistant', content: text }
  const calls = toolCalls.map(({ id, name, arguments: given }, i) => ({
    id: idOf(id, i),
    type: 'function',
    function: { name, arguments: given },
  }))
  return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls }
}

/** Some providers give their calls no id, but want one with the result. */
const idOf = (id: string, i: number): string => id || `call_${i}`

/** The results of the answer's tool calls, as messages that follow it. @param results in the order of the calls */
export const resultMessages = (
  { toolCalls }: Answer,
  results: readonly string[],
): Record<string, unknown>[] =>
  toolCalls.map(({ id }, i) => ({ role: 'tool', tool_call_id: idOf(id, i), content: results[i] ?? '' }))
