import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChunkJoiner } from './chunk-joiner.js'
import {
  fieldsOf,
  messagesText,
  readCompletionRequest,
  requestText,
  timeoutOf,
} from './completion-request.js'

const read = (inputs: string, more = '') =>
  readCompletionRequest(Buffer.from(`{"project_id":"a/b","inputs":${inputs}${more}}`))
const sent = (inputs: string) => {
  const asked = read(inputs)
  return requestText(fieldsOf(asked, asked.given.get('messages')!), { model: 'theirs' })
}
const prompted = (text: string, messages = '[]', variables?: string) =>
  messagesText({ messages, variables, prompt: { ref: 'ref', text } })

describe('what a model is asked', () => {
  it('has the digits that came, and nothing that is ours', () => {
    const inputs =
      '{"model":"m","seed":9007199254740993,"temperature":1.0,"stream":true,"timeout":"3","n":null,"top_p":0.50,"messages":[]}'
    expect(sent(inputs)).toBe(
      '{"seed":9007199254740993,"temperature":1.0,"top_p":0.50,"messages":[],"model":"theirs"}',
    )
    expect(timeoutOf(read(inputs))).toBe(3000)
    expect(timeoutOf(read('{"model":"m"}'))).toBeUndefined()
  })

  it('begins with the prompt, and has its places filled', () => {
    const prompt = '{"messages":[{"role":"user","content":"{a} and {b} and {c}"}]}'
    expect(prompted(prompt, '[{"role":"user","content":"{a}"}]', '{"a":"x","b":[1.0]}')).toBe(
      '[{"role":"user","content":"x and [1.0] and {c}"},{"role":"user","content":"x"}]',
    )
    expect(prompted('{"content":"be kind"}')).toBe('[{"role":"system","content":"be kind"}]')
    expect(() => prompted('{}')).toThrow('not a prompt')
  })

  it.each([
    ['{"model":"m","extra_headers":{"a":"b"}}', 'extra_headers'],
    ['{"model":"m","vertex_credentials":"x"}', 'vertex_credentials'],
  ])('%s is refused', (inputs, field) => expect(() => read(inputs)).toThrow(field))

  it('does not take a route of its own', () => {
    const route = ',"inference_route":{"connection_type":"dedicated","connection":"c","base_url":"http://x"}'
    expect(() => read('{"model":"m"}', route)).toThrow('inference_route')
    expect(read('{"model":"m","extra_headers":{}}').inputs.model).toBe('m')
  })
})

describe('chunks', () => {
  it('are joined to the answer they make', () => {
    const joined = new ChunkJoiner()
    for (const chunk of [
      { id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
      {
        choices: [
          { index: 0, delta: { content: 'Hel' } },
          { index: 1, delta: { content: 'Hi' } },
        ],
      },
      { choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: 'stop' }] },
      { choices: [{ index: 1, delta: { tool_calls: [{ index: 0, id: 't', function: { name: 'f' } }] } }] },
      { choices: [{ index: 1, delta: { tool_calls: [{ index: 0, function: { arguments: '{}' } }] } }] },
      { choices: [], usage: { total_tokens: 3 } },
    ])
      joined.add(JSON.stringify(chunk))
    expect(joined.error).toBeUndefined()
    expect(joined.answer()).toMatchObject({
      id: 'c',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' },
        { message: { tool_calls: [{ id: 't', function: { name: 'f', arguments: '{}' } }] } },
      ],
      usage: { total_tokens: 3 },
    })
  })

  it('that say what went wrong are heard', () => {
    const joined = new ChunkJoiner()
    joined.add('{"error":{"message":"gone","code":503,"reason":"LOST"}}')
    expect(joined.error).toEqual({ code: 'LOST', message: 'gone' })
  })

  it('of any shape harm nothing', () => {
    expect(new ChunkJoiner().answer()).toBeUndefined()
    fc.assert(
      fc.property(fc.array(fc.json()), (texts) => {
        const joined = new ChunkJoiner()
        for (const text of texts) joined.add(text)
        JSON.stringify(joined.answer())
      }),
    )
    for (const call of [null, 1, 'x', { index: -1 }, { index: 1e9 }, { index: 'a', function: null }])
      new ChunkJoiner().add(
        JSON.stringify({ choices: [null, { delta: null }, { delta: { tool_calls: [call] } }] }),
      )
    const choices = fc.record({ choices: fc.array(fc.anything({ withBigInt: false, withDate: false })) })
    fc.assert(fc.property(choices, (chunk) => new ChunkJoiner().add(JSON.stringify(chunk))))
  })
})
