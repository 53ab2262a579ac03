/** Responses by a real model node, as the published SDKs see them. */
import { beforeAll, expect, it } from 'vitest'
import { type ChatEndpoint, PARIS } from '../support/chat-server.js'
import { runNode, runPython } from '../support/program.js'
import { sharedChat } from '../support/shared-server.js'
import { until } from '../support/until.js'

let chat: ChatEndpoint
beforeAll(async () => {
  chat = await sharedChat()
})

it('work with the Python SDK, unchanged', async () => {
  expect(await runPython(chat.server, 'openai_responses', chat.clientEnv)).toMatchObject({
    plain: {
      text: PARIS,
      status: 'completed',
      usage: { input_tokens: 15, output_tokens: 8, total_tokens: 23 },
    },
    streamed: {
      text: PARIS,
      status: 'completed',
      types: expect.arrayContaining([
        ...['response.created', 'response.output_text.delta', 'response.output_text.done'],
        'response.completed',
      ]),
    },
    parsed: expect.stringMatching(/^(red|green)$/),
    tools: { name: 'look_up', kind: expect.stringMatching(/^(city|river)$/), told: expect.any(String) },
    logprobs: Array(8).fill(2),
    stored: { same: true, items: ['What is the capital of France?'], counted: true, gone: true },
    conversation: {
      ...{ types: ['message', 'message'], roles: ['user', 'assistant'] },
      ...{ metadata: { kind: 'other' }, deleted: true },
    },
    background: { began: 'queued', ended: 'response.completed', text: PARIS },
    compacted: { type: 'compaction', status: expect.any(String) },
    refused: {
      model: { reason: 'UNKNOWN_MODEL' },
      tool: { reason: 'UNSUPPORTED_TOOL', message: expect.stringContaining('file_search') },
      image: { reason: 'NO_IMAGES' },
    },
  })
})

it('work with the JavaScript SDK, unchanged', async () => {
  expect(await runNode(chat.server, 'openai-responses', chat.clientEnv)).toMatchObject({
    plain: { text: PARIS, status: 'completed' },
    streamed: { text: PARIS, whole: PARIS, status: 'completed' },
    tools: [{ type: 'function_call', name: 'look_up', kind: expect.stringMatching(/^(city|river)$/) }],
    structured: { colour: expect.stringMatching(/^(red|green)$/) },
    aborted: 'response.output_text.delta',
    refused: { status: 400, message: expect.stringContaining('web_search') },
  })
})

it('are logged as chat completions are, with the name of their interface', async () => {
  const body = {
    model: 'demo',
    temperature: 0,
    max_output_tokens: 8,
    input: 'What is the capital of France?',
  }
  const headers = { ...chat.authorization, 'x-heddle-project': 'me/logged-responses' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  expect((await fetch(`${chat.url}/v1/responses`, init)).status).toBe(200)
  const messages = [{ role: 'user', content: body.input }]
  await chat.post({ messages, model: 'demo', temperature: 0, max_completion_tokens: 8 }, { headers })
  const calls = await until('both calls', async () => {
    const found = await chat.server.api.calls('me/logged-responses', { sort_by: [{ field: 'started_at' }] })
    return found.length === 2 && found
  })
  const [byResponses, byChat] = calls.map(({ op_name, inputs, output, attributes }) => {
    const { choices, usage } = output as Record<string, unknown>
    return { op_name, inputs, choices, usage, attributes }
  })
  expect(byResponses?.attributes).toMatchObject({ interface: 'responses' })
  expect({ ...byResponses, attributes: null }).toEqual({ ...byChat, attributes: null })
})
