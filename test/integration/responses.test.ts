/** The Responses interface over scripted nodes: what the published clients' tests can't see. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChatCompletionResponse } from '../../contract/chat-answer.js'
import { events, type Script, ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatStack } from './testing/chat-stack.js'

let stack: ChatStack
const node = new ScriptedNode()
const says = node.script
beforeAll(async () => {
  stack = await ChatStack.start([node])
})
afterAll(() => stack.stop())

function create(body: object, init: RequestInit = {}): Promise<Response> {
  return fetch(`${stack.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: 'Bearer tester', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', ...body }),
    ...init,
  })
}

/** Says one word and nothing more. */
const hangs: Script = (call) => {
  call.write(events.started())
  call.write(events.delta({ text: 'first ', tokenIds: [1] }))
}

it('asks the node for the same as chat does', async () => {
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
  const messages = [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'hello world' },
  ]
  const same = {
    seed: 7,
    temperature: 0,
    return_token_ids: true,
    stop: ['x'],
    store: false,
    model: 'scripted',
  }
  const asked = { ...same, messages, tools, tool_choice: 'auto', max_completion_tokens: 9 }
  const chat = (await (await stack.post('', asked)).json()) as ChatCompletionResponse
  const flat = [{ type: 'function', name: 'f', parameters: { type: 'object' } }]
  const answer = await create({ ...same, input: messages, tools: flat, max_output_tokens: 9 })
  expect(await answer.json()).toMatchObject({
    object: 'response',
    status: 'completed',
    output: [{ type: 'message', content: [{ text: 'hello world' }] }],
    token_ids: chat.choices[0]?.token_ids,
    prompt_token_ids: chat.prompt_token_ids,
    usage: { input_tokens: 3, output_tokens: 2 },
  })
  const [byChat, byResponses] = node.requests.slice(-2).map(({ requestId: _, ...rest }) => rest)
  expect(byResponses).toEqual(byChat)
})

it('a stream whose node dies ends with a failed response', async () => {
  node.script = hangs
  const answer = await create({ input: 'x', stream: true })
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('first ')) text += (await reader.read()).value ?? ''
  node.kill()
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  const last = text.trim().split('\n').at(-1)!
  expect(JSON.parse(last.slice('data: '.length))).toMatchObject({
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error', reason: expect.any(String) } },
  })
  node.script = says
})
