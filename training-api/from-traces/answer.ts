/**
 * Finds the assistant's answer in a call's output, in any form that programs trace: a text, a message, a whole chat
 * completion, OpenTelemetry's attributes. Pure.
 */
import { isObject } from '../../platform/json/object.js'
import { LeftOut } from './left-out.js'
import { type ChatMessage, messagesIn, messagesOf } from './messages.js'

export interface AnswerFound {
  message: ChatMessage
  finishReason: string
  /** in the form of chat completions, if they were traced */
  logprobs: unknown
}

/** Keys under which the output of a span, or of a function, holds the answer. */
const WRAPPERS = [
  'gen_ai.completion',
  'gen_ai.output.messages',
  'gen_ai.content.completion',
  'ai.response',
  'output.value',
  'mlflow.spanOutputs',
  'traceloop.entity.output',
  'llm.output_messages',
  'langfuse.observation.output',
  'gcp.vertex.agent.llm_response',
  'final_result',
  'message',
  'output',
  'outputs',
  'response',
  'answer',
  'completion',
  'result',
  'generated_text',
  'output_text',
  'text',
] as const

const DEEPEST = 5

/** @throws LeftOut */
export function answerOf(output: unknown, depth = 0): AnswerFound {
  if (depth > DEEPEST) throw new LeftOut('no_answer')
  if (typeof output === 'string') return answered({ role: 'assistant', content: output })
  if (Array.isArray(output)) return lastOf(output)
  if (!isObject(output)) throw new LeftOut('no_answer')
  const [choice] = Array.isArray(output.choices) ? output.choices : []
  if (isObject(choice)) return ofChoice(choice)
  const [candidate] = Array.isArray(output.candidates) ? output.candidates : []
  if (isObject(candidate) && isObject(candidate.content)) return lastOf([candidate.content])
  if (isObject(output.kwargs)) return lastOf([output])
  if (output.role !== undefined || Array.isArray(output.parts))
    return lastOf([{ role: 'assistant', ...output }])
  // The AI SDK traces a text with tool calls beside it.
  const calls = output.toolCalls ?? output.tool_calls
  if (Array.isArray(calls))
    return lastOf([{ role: 'assistant', content: output.text ?? null, tool_calls: calls }])
  if (output.content !== undefined) return lastOf([{ role: 'assistant', content: output.content }])
  const key = WRAPPERS.find((one) => output[one] !== undefined && output[one] !== null)
  if (key === undefined) throw new LeftOut('no_answer')
  return answerOf(output[key], depth + 1)
}

function ofChoice(choice: Record<string, unknown>): AnswerFound {
  const message = isObject(choice.message) ? choice.message : { content: choice.text }
  const found = lastOf([{ role: 'assistant', ...message }])
  const { finish_reason: finish, logprobs } = choice
  return {
    ...found,
    finishReason: typeof finish === 'string' ? finish : found.finishReason,
    logprobs: logprobs ?? null,
  }
}

/** The assistant's last message. OpenTelemetry's messages may omit the role. */
function lastOf(items: readonly unknown[]): AnswerFound {
  const named = items.map((item) =>
    isObject(item) && item.role === undefined && item.type === undefined && !isObject(item.kwargs)
      ? { role: 'assistant', ...item }
      : item,
  )
  const messages = named.every((item) => typeof item === 'string')
    ? [{ role: 'assistant', content: named.join('') }]
    : named.length === 1
      ? messagesIn(named[0])
      : messagesOf(named)
  const message = messages.findLast(({ role }) => role === 'assistant')
  if (!message) throw new LeftOut('no_answer')
  const last = items.at(-1)
  const finish = isObject(last) ? last.finish_reason : undefined
  return { ...answered(message), ...(typeof finish === 'string' && { finishReason: finish }) }
}

/** @throws LeftOut for an answer that is empty */
function answered(message: ChatMessage): AnswerFound {
  const said = message.content?.trim() ?? ''
  const calls = message.tool_calls !== undefined
  if (said === '' && !calls) throw new LeftOut('no_answer')
  return { message, finishReason: calls ? 'tool_calls' : 'stop', logprobs: null }
}
