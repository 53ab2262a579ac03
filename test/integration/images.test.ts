/** Images in chat through all interfaces, to a node whose model takes them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Outbound } from '../../platform/outbound/fetch.js'
import { ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatStack } from './testing/chat-stack.js'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFElEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg=='
const png = Buffer.from(PNG, 'base64')
const DATA = `data:image/png;base64,${PNG}`
const sees = new ScriptedNode({ model: 'sees', images: true })
const blind = new ScriptedNode({ model: 'blind' })
const limits = { most: 2, bytes: 1 << 16, pixels: 10_000, outbound: undefined }
const outbound = new Outbound({ allowPrivate: ['127.0.0.0/8'] })
const files = createServer((request, response) => {
  if (request.url === '/a.png') response.end(png)
  else if (request.url === '/large.png') response.end(Buffer.concat([png, Buffer.alloc(1 << 17)]))
  else response.writeHead(404).end()
})
let stack: ChatStack
let fetching: ChatStack
let address: string

beforeAll(async () => {
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
  stack = await ChatStack.start([sees, blind])
  fetching = await ChatStack.start([new ScriptedNode({ model: 'sees', images: true })], {
    images: { ...limits, outbound },
  })
})
afterAll(async () => {
  await Promise.all([stack.stop(), fetching.stop()])
  await outbound.close()
  files.close()
})

const post = (path: string, body: object, to = stack) =>
  fetch(to.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer tester', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sees', ...body }),
  })
const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const text = (words: string) => ({ type: 'text', text: words })
const chat = (content: object[], more: object = {}, to = stack) =>
  post('/v1/chat/completions', { messages: [{ role: 'user', content }], ...more }, to)

it.each([
  ['chat completions', () => chat([text('What is'), image(DATA), text('this?')])],
  [
    'responses',
    () =>
      post('/v1/responses', {
        store: false,
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'What is' },
              { type: 'input_image', image_url: DATA, detail: 'auto' },
              { type: 'input_text', text: 'this?' },
            ],
          },
        ],
      }),
  ],
  [
    'messages',
    () => {
      const source = { type: 'base64', media_type: 'image/png', data: PNG }
      const content = [text('What is'), { type: 'image', source }, text('this?')]
      return post('/v1/messages', { max_tokens: 5, messages: [{ role: 'user', content }] })
    },
  ],
])('come from %s to the node as bytes, where they stand', async (_, ask) => {
  const answer = await ask()
  expect(answer.status, await answer.text()).toBe(200)
  const asked = sees.requests.at(-1)!.chat!
  expect(JSON.parse(asked.messagesJson)).toEqual([
    { role: 'user', content: [text('What is'), { type: 'image' }, text('this?')] },
  ])
  expect(asked.images!.map(({ data }) => Buffer.from(data).equals(png))).toEqual([true])
})

/** A PNG that says how large it is, and nothing else. */
function sized(width: number, height: number): string {
  const bytes = Buffer.from(png)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return `data:image/png;base64,${bytes.toString('base64')}`
}
const base64 = (bytes: string, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes, 'latin1').toString('base64')}`

it.each([
  ['for a model that takes none', [image(DATA)], { model: 'blind' }, 'NO_IMAGES'],
  ['in too great a number', [image(DATA), image(DATA), image(DATA)], {}, 'TOO_MANY_IMAGES'],
  ['with too many pixels', [image(sized(20_000, 20_000))], {}, 'BAD_IMAGE'],
  ['with too many bytes', [image(base64(`\x89PNG\r\n\x1a\n${'x'.repeat(1 << 17)}`))], {}, 'BAD_IMAGE'],
  ['that are text, whatever they say', [image(base64('hello'))], {}, 'BAD_IMAGE'],
  ['that are drawings', [image(base64('<svg xmlns="">', 'image/svg+xml'))], {}, 'BAD_IMAGE'],
  ['that are cut off', [image(base64('\x89PNG\r\n\x1a\n'))], {}, 'BAD_IMAGE'],
  ['that are empty', [image('data:image/png;base64,')], {}, 'BAD_IMAGE'],
  ['that are not base64', [image('data:image/png,x')], {}, 'BAD_IMAGE'],
  ['without an address', [{ type: 'image_url' }], {}, 'BAD_IMAGE'],
  ['at addresses', [image('https://example.com/a.png')], {}, 'NO_IMAGE_ADDRESSES'],
])('are refused %s', async (_, content, more, reason) => {
  const answer = await chat(content, more)
  const { error } = (await answer.json()) as { error: { reason: string; param: string } }
  expect([answer.status, error.reason, error.param]).toEqual([400, reason, 'messages'])
})

it.each([
  ['/a.png', 200, undefined],
  ['/gone.png', 400, 'BAD_IMAGE'],
  ['/large.png', 400, 'BAD_IMAGE'],
])('at the address %s: %i', async (path, status, reason) => {
  const answer = await chat([image(address + path)], {}, fetching)
  const body = (await answer.json()) as { error?: { reason: string } }
  expect([answer.status, body.error?.reason]).toEqual([status, reason])
})
