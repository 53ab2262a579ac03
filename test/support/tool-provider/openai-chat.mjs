/** OpenAI's chat, whole or as a stream. */
import { isRefused, json, REFUSED, stream, turnOf, USAGE } from './model.mjs'

const usage = {
  ...{
    prompt_tokens: USAGE.input,
    completion_tokens: USAGE.output,
    total_tokens: USAGE.input + USAGE.output,
  },
  prompt_tokens_details: { cached_tokens: USAGE.cached },
}

const textsOf = (content) => [content].flat().map((part) => (typeof part === 'string' ? part : part?.text))

export function openaiChat(response, { model, messages, tools = [], stream: streamed, stream_options }) {
  if (messages.some(({ role, content }) => role === 'user' && textsOf(content).some(isRefused)))
    return json(response, 400, { error: REFUSED })
  const { text, name, args } = turnOf(
    tools.map((tool) => tool.function.name),
    messages.slice(1),
  )
  const call = { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }
  const message = { role: 'assistant', content: text ?? null, ...(name && { tool_calls: [call] }) }
  const finish_reason = name ? 'tool_calls' : 'stop'
  const head = { id: 'chatcmpl-1', created: 1_700_000_000, model }
  if (!streamed)
    return json(response, 200, {
      ...{ ...head, object: 'chat.completion' },
      ...{ choices: [{ index: 0, message, finish_reason }], usage },
    })
  const delta = { ...message, ...(name && { tool_calls: [{ index: 0, ...call }] }) }
  const chunks = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    ...(stream_options?.include_usage ? [{ choices: [], usage }] : []),
  ]
  return stream(
    response,
    chunks.map((chunk) => ({ ...head, object: 'chat.completion.chunk', ...chunk })),
  ).end('data: [DONE]\n\n')
}
