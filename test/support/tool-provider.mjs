/**
 * An OpenAI-compatible chat endpoint for tests, a process of its own: asked with tools it calls `get_weather` for Paris,
 * given the tool's result it answers `It is sunny in Paris.`; `fail` is refused. Prints its address.
 */
import { createServer } from 'node:http'

const json = (response, status, value) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
}

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { model, messages, tools } = JSON.parse(Buffer.concat(chunks).toString())
  const last = messages.at(-1)
  if (JSON.stringify(last.content).includes('fail'))
    return json(response, 400, { error: { message: 'I will not', type: 'invalid_request_error' } })
  const wantsTool = tools?.length > 0 && last.role !== 'tool'
  const message = wantsTool
    ? { role: 'assistant', content: null, tool_calls: [CALL] }
    : { role: 'assistant', content: 'It is sunny in Paris.' }
  return json(response, 200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message, finish_reason: wantsTool ? 'tool_calls' : 'stop' }],
    usage: {
      prompt_tokens: 20,
      completion_tokens: 7,
      total_tokens: 27,
      prompt_tokens_details: { cached_tokens: 4 },
    },
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
