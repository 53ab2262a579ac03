/** Embeddings through the queue, with a node that counts characters. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { until } from '../support/until.js'
import { ChatStack } from './testing/chat-stack.js'

const chats = new ScriptedNode()
const node = new ScriptedNode({ model: 'vectors', embeds: true, embeddingDimensions: 3, together: false })
const { embed } = node
let stack: ChatStack

beforeAll(async () => {
  stack = await ChatStack.start([chats, node])
})
afterAll(() => stack.stop())
beforeEach(() => {
  node.embed = embed
})

function post(body: object | string, init: RequestInit = {}, path = '/v1/embeddings'): Promise<Response> {
  return fetch(stack.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer tester', 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify({ model: 'vectors', ...body }),
    ...init,
  })
}

interface Answer {
  data: { index: number; embedding: number[] | string }[]
  usage: object
}
const vectors = async (body: object) => {
  const answer = await post(body)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as Answer).data.map(({ embedding }) => embedding)
}

it.each([
  ['a text', 'four', [[4, 0, 0]]],
  [
    'texts',
    ['a', 'bc'],
    [
      [1, 0, 0],
      [2, 0, 1],
    ],
  ],
  ['tokens', [1, 2, 3], [[0, 3, 0]]],
  [
    'lists of tokens',
    [[1], [2, 3]],
    [
      [0, 1, 0],
      [0, 2, 1],
    ],
  ],
])('%s become vectors', async (_, input, expected) => {
  expect(await vectors({ input })).toEqual(expected)
})

it('has the form of the interface, and the bytes of 32-bit floats as base64', async () => {
  const answer = await post({ input: ['a', 'b'], encoding_format: 'base64', dimensions: 2, user: 'me' })
  const { data, ...rest } = (await answer.json()) as Answer
  expect(rest).toEqual({ object: 'list', model: 'vectors', usage: { prompt_tokens: 2, total_tokens: 2 } })
  const bytes = Buffer.from(data[1]!.embedding as string, 'base64')
  expect([bytes.readFloatLE(0), bytes.readFloatLE(4), bytes.length]).toEqual([1, 0, 8])
})

it('floats are told apart, in any number', async () => {
  const numbers = Float32Array.from({ length: 4000 }, (_, i) =>
    Math.fround(Math.sin(i) * 10 ** ((i % 60) - 30)),
  )
  node.embed = (call) => {
    for (let index = 0; index < 40; index++)
      call.write({ embedding: { index, values: Buffer.from(numbers.buffer) } })
    call.write({ done: { usage: null, promptLogprobs: [], firstTokenMs: 0, totalMs: 0 } })
    call.end()
  }
  const all = (await vectors({ input: Array.from({ length: 40 }, () => 'x') })) as number[][]
  expect(all).toHaveLength(40)
  expect(Float32Array.from(all[39]!)).toEqual(numbers)
})

it.each([
  ['no input', {}, 422, undefined],
  ['an empty text', { input: '' }, 400, 'EMPTY_INPUT'],
  ['an empty text among others', { input: ['a', ''] }, 400, 'EMPTY_INPUT'],
  ['an empty list', { input: [] }, 422, undefined],
  ['an empty list of tokens', { input: [[1], []] }, 422, undefined],
  ['too many texts', { input: Array.from({ length: 2049 }, () => 'x') }, 422, undefined],
  ['half a character', { input: '\ud800' }, 400, 'BAD_PROMPT'],
  ['no size', { input: 'x', dimensions: 0 }, 422, undefined],
  ['an unknown format', { input: 'x', encoding_format: 'int8' }, 422, undefined],
  ['a model that chats', { input: 'x', model: 'scripted' }, 400, 'NO_EMBEDDINGS'],
  ['an unknown model', { input: 'x', model: 'nobody' }, 404, 'UNKNOWN_MODEL'],
])('refuses %s', async (_, body, status, reason) => {
  const answer = await post(body)
  const { error } = (await answer.json()) as { error: { reason: string } }
  expect([answer.status, reason && error.reason]).toEqual([status, reason])
})

it('a chat to a model of embeddings is refused, and one without a model goes to another', async () => {
  const refused = await stack.post('hello', { model: 'vectors' })
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { reason: 'NO_CHAT' } }])
  expect((await stack.post('hello')).status).toBe(200)
})

it('what a node refuses is told', async () => {
  node.embed = (call) => {
    call.write({
      error: { code: 'PROMPT_TOO_LONG', status: 3, message: 'Too long.', retriable: false, field: 'input' },
    })
    call.end()
  }
  const answer = await post({ input: 'x' })
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { reason: 'PROMPT_TOO_LONG', param: 'input', message: 'Too long.' } },
  ])
})

it('a caller who leaves ends the work', async () => {
  let asked = false
  let cancelled = false
  node.embed = (call) => {
    asked = true
    call.on('cancelled', () => {
      cancelled = true
    })
  }
  const leave = new AbortController()
  const answer = post({ input: 'x' }, { signal: leave.signal })
  await until('the node to be asked', () => asked)
  leave.abort()
  await expect(answer).rejects.toThrow()
  await until('the node to be told', () => cancelled)
})

it('the list of models says what each can do', async () => {
  const { body } = await stack.get('/v1/models')
  expect(body).toMatchObject({
    data: [
      { id: 'scripted', capabilities: { chat: true, embeddings: false, images: false } },
      { id: 'vectors', capabilities: { chat: false, embeddings: true }, embedding_dimensions: 3 },
    ],
  })
})
