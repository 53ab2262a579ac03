import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textsIn } from '../../cli/testing/redis-texts.js'
import type { ChatCompletionResponse } from '../../contract/chat-answer.js'
import { scriptedModel, textOf } from '../../proto/heddle/node/v1/testing/scripted-model.js'
import { events, ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatStack } from './testing/chat-stack.js'

let stack: ChatStack
const node = new ScriptedNode()

beforeAll(async () => {
  stack = await ChatStack.start([node])
})
afterAll(() => stack.stop())

describe('chat', () => {
  it('answers in one piece', async () => {
    const answer = await stack.post('hello dear world', { request_id: 'mine', model: 'scripted' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      id: 'chatcmpl-mine',
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'scripted',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'hello dear world', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
          stop_reason: null,
        },
      ],
      usage: {
        prompt_tokens: 3,
        completion_tokens: 3,
        total_tokens: 6,
        prompt_tokens_details: { cached_tokens: 1 },
      },
    })
  })

  it('answers as a stream', async () => {
    const chunks = await stack.chunks('hello world', {
      stream_options: { include_usage: true },
      return_token_ids: true,
    })
    expect(
      chunks.map(({ choices, usage, prompt_token_ids }) => ({ choices, usage, prompt_token_ids })),
    ).toMatchObject([
      { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }], prompt_token_ids: [1, 2, 3] },
      { choices: [{ delta: { content: 'hello ' }, token_ids: [0], finish_reason: null }] },
      { choices: [{ delta: { content: 'world' }, token_ids: [1] }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
    ])
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
  })

  it('is there with a slash, too', async () => {
    const answer = await fetch(`${stack.url}/v1/chat/completions/`, {
      method: 'POST',
      body: '{"messages":[{"role":"user","content":"hi"}]}',
    })
    expect(answer.status).toBe(200)
  })

  it('carries a whole task of a model that acts: a call, its result, an end', async () => {
    const { script } = node
    node.script = scriptedModel(({ messages, tools, results }) =>
      results.length === 0
        ? {
            reasoning: 'It is not said.',
            calls: [{ name: tools[0]!, arguments: { of: textOf(messages[0]!) } }],
          }
        : { text: `It is ${results[0]}.` },
    )
    const tools = [{ type: 'function', function: { name: 'look_up' } }]
    const ask = { role: 'user', content: 'the river' }
    const message = async (messages: object[]) =>
      ((await (await stack.post('', { messages, tools })).json()) as ChatCompletionResponse).choices[0]
        ?.message
    const called = await message([ask])
    expect(called).toMatchObject({ reasoning: 'It is not said.', content: null })
    const [call] = called?.tool_calls ?? []
    expect(call?.function).toEqual({ name: 'look_up', arguments: '{"of":"the river"}' })
    const result = { role: 'tool', tool_call_id: call?.id, content: 'long' }
    expect(await message([ask, called!, result])).toMatchObject({ content: 'It is long.' })
    node.script = script
  })

  it('leaves no prompt in Redis when it is over, however that is', async () => {
    const secret = 'the recipe of our grandmother'
    expect((await stack.post(secret)).status).toBe(200)
    const script = node.script
    node.script = (call) => {
      call.write(events.error('BAD_FIELD', 3, 'Not so.'))
      call.end()
    }
    expect((await stack.post(secret)).status).toBe(400)
    const leaving = new AbortController()
    node.script = (call) => {
      call.write(events.started())
      leaving.abort()
    }
    await expect(stack.post(secret, {}, { signal: leaving.signal })).rejects.toThrow()
    await expect.poll(() => node.running).toBe(0)
    node.script = script
    await stack.post('something else')
    await expect
      .poll(async () => (await textsIn(stack.redis.url)).filter((text) => text.includes(secret)))
      .toEqual([])
  })
})
