/** OpenAI's responses, as a stream. */
import { isRefused, json, REFUSED, stream, turnOf, USAGE } from './model.mjs'

const usage = {
  ...{ input_tokens: USAGE.input, input_tokens_details: { cached_tokens: USAGE.cached } },
  ...{ output_tokens: USAGE.output, output_tokens_details: { reasoning_tokens: 0 } },
  total_tokens: USAGE.input + USAGE.output,
}

export function openaiResponses(response, { model, input, tools = [] }) {
  const refused = ({ role, content }) =>
    role === 'user' && [content].flat().some(({ text }) => isRefused(text))
  if (input.some(refused)) return json(response, 400, { error: REFUSED })
  const { text, name, args } = turnOf(
    tools.flatMap((tool) => tool.name ?? []),
    input.slice(1),
  )
  const item = name
    ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', name, arguments: JSON.stringify(args) }
    : {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [] }],
      }
  const made = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model }
  const events = [
    { type: 'response.created', response: { ...made, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...made, status: 'completed', output: [item], usage } },
  ]
  return stream(
    response,
    events.map((event, sequence_number) => ({ ...event, sequence_number })),
    true,
  ).end()
}
