/** The Messages interface over scripted nodes: what the published clients' tests can't see. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { scriptedModel } from '../../proto/heddle/node/v1/testing/scripted-model.js'
import { events, type Script, ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatStack } from './testing/chat-stack.js'

let stack: ChatStack
let engine: TestEngine
const node = new ScriptedNode()
const says = node.script
beforeAll(async () => {
  engine = await sharedTestEngine()
  stack = await ChatStack.start([node], { store: await engine.migrated('messages') })
})
afterAll(async () => {
  await stack?.stop()
  await engine?.stop()
})

function post(body: object, path = '', init: RequestInit = {}): Promise<Response> {
  return fetch(`${stack.url}/v1/messages${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer tester', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', ...(path === '' && { max_tokens: 99 }), ...body }),
    ...init,
  })
}

const hello = [{ role: 'user', content: 'hello world' }]
/** Says one word and nothing more. */
const hangs: Script = (call) => {
  call.write(events.started())
  call.write(events.delta({ text: 'first ', tokenIds: [1] }))
}

it('asks the node for the same as chat does', async () => {
  const parameters = { type: 'object' }
  const same = { seed: 7, temperature: 0, return_token_ids: true, model: 'scripted', messages: hello }
  const functions = [{ type: 'function', function: { name: 'f', parameters } }]
  const asked = { ...same, stop: ['x'], tools: functions, tool_choice: 'auto', max_completion_tokens: 9 }
  const byChat = (await (await stack.post('', asked)).json()) as { choices: [{ token_ids: number[] }] }
  const tools = [{ name: 'f', input_schema: parameters }]
  const answer = await post({ ...same, stop_sequences: ['x'], tools, max_tokens: 9 })
  expect(await answer.json()).toMatchObject({
    content: [{ type: 'text', text: 'hello world' }],
    token_ids: byChat.choices[0].token_ids,
    usage: { input_tokens: 2, cache_read_input_tokens: 1, output_tokens: 2 },
  })
  const [first, second] = node.requests.slice(-2).map(({ requestId: _, ...rest }) => rest)
  expect(second).toEqual(first)
})

it('counts tokens without generating any', async () => {
  node.script = scriptedModel(() => ({ text: 'never said' }))
  const answer = await post({ messages: hello }, '/count_tokens')
  expect(await answer.json()).toEqual({ input_tokens: 2 })
  expect(node.requests.at(-1)).toMatchObject({ countOnly: true, stopping: { maxTokens: 1 } })
  node.script = says
})

it('takes back the thinking that it left out of the answer', async () => {
  node.script = scriptedModel(({ messages }) => ({
    reasoning: 'a secret',
    text: messages.at(-1)?.reasoning ?? 'none',
  }))
  const thinking = { type: 'adaptive', display: 'omitted' }
  const answer = (await (await post({ messages: hello, thinking })).json()) as { content: object[] }
  expect(answer.content).toEqual([
    { type: 'thinking', thinking: '', signature: expect.stringMatching(/./) },
    { type: 'text', text: 'none' },
  ])
  await post({ messages: [...hello, { role: 'assistant', content: answer.content }, ...hello], thinking })
  const asked = JSON.parse(node.requests.at(-1)?.chat?.messagesJson ?? '') as object[]
  expect(asked[1]).toEqual({ role: 'assistant', content: 'none', reasoning: 'a secret' })
  node.script = says
})

it('a caller who goes away ends the work on the node', async () => {
  node.script = hangs
  const before = node.cancelled
  const answer = await post({ messages: hello, stream: true })
  const reader = answer.body!.getReader()
  await reader.read()
  await reader.cancel()
  await expect.poll(() => node.cancelled).toBe(before + 1)
  node.script = says
})

it('an error has its form before the first event, too', async () => {
  node.script = (call) => {
    call.write(events.error('BAD_FIELD', 3, 'Not so.'))
    call.end()
  }
  const answer = await post({ messages: hello, stream: true })
  expect([answer.status, await answer.json()]).toEqual([
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Not so.', code: 'BAD_FIELD', param: null },
    },
  ])
  node.script = says
})

it('a stream whose node dies ends with an error', async () => {
  node.script = hangs
  const answer = await post({ messages: hello, stream: true })
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('first ')) text += (await reader.read()).value ?? ''
  node.kill()
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  const [, last = ''] = /\nevent: error\ndata: (.+)\n\n$/.exec(text) ?? []
  expect(JSON.parse(last)).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
})
