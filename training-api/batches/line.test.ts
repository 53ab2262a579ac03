import fc from 'fast-check'
import { expect, it } from 'vitest'
import { failureText, readLine } from './line.js'

const endpoint = '/v1/chat/completions'
const read = (text: string | Uint8Array) => readLine({ bytes: Buffer.from(text), endpoint, secrets: [] })
const line = (more: object = {}) => ({
  ...{ custom_id: 'a', method: 'POST', url: endpoint },
  body: { model: 'm', messages: [{ role: 'user', content: 'x' }] },
  ...more,
})

it('any bytes are a request or a failure that can be written', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (bytes) => {
      const { customId, request, failure } = read(bytes)
      expect(request === undefined).toBe(failure !== undefined)
      if (failure) JSON.parse(failureText('id', customId, failure, 1))
    }),
  )
})

it('any line with any body is one, under its own name', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 512 }), fc.jsonValue(), (id, body) => {
      const { customId, request, failure } = read(JSON.stringify(line({ custom_id: id, body })))
      expect(customId).toBe(id)
      expect(request === undefined).toBe(failure !== undefined)
    }),
  )
})

it('keeps the bytes of the body, digits of large numbers included', () => {
  const text = `{"custom_id":"a","body": {"messages":[{"role":"user","content":"é"}],"seed":9007199254740993} ,"url":"${endpoint}","method":"POST"}`
  const { request } = read(text)
  expect(request?.asked).toMatchObject({ kind: 'chat', read: { seed: '9007199254740993' } })
  expect(Buffer.from(text).toString('utf8', request!.from, request!.to)).toBe(
    '{"messages":[{"role":"user","content":"é"}],"seed":9007199254740993}',
  )
})

it.each([
  ['text that is no JSON', '{', 'invalid_json_line'],
  ['bytes that are no text', Buffer.from([0x7b, 0xff, 0x7d]), 'invalid_json_line'],
  ['a list', '[]', 'invalid_json_line'],
  ['a long custom_id', JSON.stringify(line({ custom_id: 'x'.repeat(513) })), 'invalid_custom_id'],
  ['another method', JSON.stringify(line({ method: 'post' })), 'invalid_method'],
  ['another endpoint', JSON.stringify(line({ url: '/v1/responses' })), 'invalid_url'],
  ['no body', JSON.stringify(line({ body: undefined })), 'invalid_body'],
])('refuses %s', (_, text, code) => {
  expect(read(text).failure).toMatchObject({ kind: 'line', code })
})

it.each([
  ['stream', { stream: true }, 400],
  ['a wrong field', { temperature: 'hot' }, 422],
  ['no messages', { messages: [] }, 400],
])('says what a request with %s would be answered', (_, more, status) => {
  const { failure } = read(JSON.stringify(line({ body: { ...line().body, ...more } })))
  expect(failure).toMatchObject({ kind: 'answer', status, body: { error: { code: status } } })
})
