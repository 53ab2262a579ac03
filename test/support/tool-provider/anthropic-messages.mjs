/** Anthropic's messages, whole or as a stream, and its count of their tokens. */
import { isRefused, json, REFUSED, stream, turnOf, USAGE } from './model.mjs'

const usage = {
  ...{ input_tokens: USAGE.input - USAGE.cached, output_tokens: USAGE.output },
  ...{ cache_read_input_tokens: USAGE.cached, cache_creation_input_tokens: 0 },
}

const textsOf = (content) => [content].flat().map((part) => (typeof part === 'string' ? part : part?.text))

export function anthropicMessages(response, { model, messages, tools = [], stream: streamed }) {
  if (messages.some(({ role, content }) => role === 'user' && textsOf(content).some(isRefused)))
    return json(response, 400, { type: 'error', error: REFUSED })
  const { text, name, args } = turnOf(
    tools.map((tool) => tool.name),
    messages.slice(1),
  )
  const block = name ? { type: 'tool_use', id: 'toolu_1', name, input: args } : { type: 'text', text }
  const stop = { stop_reason: name ? 'tool_use' : 'end_turn', stop_sequence: null }
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model, usage }
  if (!streamed) return json(response, 200, { ...head, content: [block], ...stop })
  const empty = name ? { ...block, input: {} } : { type: 'text', text: '' }
  const delta = name
    ? { type: 'input_json_delta', partial_json: JSON.stringify(args) }
    : { type: 'text_delta', text }
  const events = [
    { type: 'message_start', message: { ...head, content: [], stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage: { output_tokens: USAGE.output } },
    { type: 'message_stop' },
  ]
  return stream(response, events, true).end()
}
