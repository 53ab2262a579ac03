/**
 * An endpoint of OpenAI's chat (whole or as a stream) and of Anthropic's messages for tests, a process of its own. Asked
 * with tools it calls `get_weather` for Paris; given the tool's result, or without tools, it answers `It is sunny in
 * Paris.`, by the tool `final_answer` where there is one. `fail` is refused. Prints its address.
 */
import { createServer } from 'node:http'

const ANSWER = 'It is sunny in Paris.'
const REFUSED = { message: 'I will not', type: 'invalid_request_error' }

const json = (response, status, value) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** Whether a line of a message's text ends with `fail`. */
const isRefused = (content) =>
  [content].flat().some((part) => /(^|[\s:])fail$/m.test(typeof part === 'string' ? part : part?.text))

/** What the model says to a request of OpenAI's chat. */
function messageOf({ messages, tools = [] }) {
  const call = (name, args) => ({
    ...{ role: 'assistant', content: null },
    tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  })
  const has = (name) => tools.some((tool) => tool.function.name === name)
  const hasResult = JSON.stringify(messages.slice(1)).includes('sunny in Paris')
  if (tools.length > 0 && !hasResult) return call('get_weather', { city: 'Paris' })
  return has('final_answer')
    ? call('final_answer', { answer: ANSWER })
    : { role: 'assistant', content: ANSWER }
}

function complete(response, request) {
  const { model, stream, stream_options } = request
  const message = messageOf(request)
  const finish_reason = message.tool_calls ? 'tool_calls' : 'stop'
  const head = { id: 'chatcmpl-1', created: 1_700_000_000, model }
  const usage = {
    ...{ prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 },
    prompt_tokens_details: { cached_tokens: 4 },
  }
  if (!stream)
    return json(response, 200, {
      ...{ ...head, object: 'chat.completion' },
      ...{ choices: [{ index: 0, message, finish_reason }], usage },
    })
  const delta = { ...message, tool_calls: message.tool_calls?.map((call, index) => ({ index, ...call })) }
  const chunks = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    ...(stream_options?.include_usage ? [{ choices: [], usage }] : []),
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks)
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`)
  return response.end('data: [DONE]\n\n')
}

const anthropic = (response, { model }) =>
  json(response, 200, {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model, content: [{ type: 'text', text: ANSWER }] },
    ...{ stop_reason: 'end_turn', stop_sequence: null },
    usage: { input_tokens: 16, output_tokens: 7, cache_read_input_tokens: 4, cache_creation_input_tokens: 0 },
  })

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const asked = JSON.parse(Buffer.concat(chunks).toString())
  const isAnthropic = request.url.endsWith('/messages')
  if (asked.messages.some(({ role, content }) => role === 'user' && isRefused(content)))
    return json(response, 400, { ...(isAnthropic && { type: 'error' }), error: REFUSED })
  return isAnthropic ? anthropic(response, asked) : complete(response, asked)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
