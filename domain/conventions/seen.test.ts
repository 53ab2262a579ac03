import { expect, it } from 'vitest'
import { SeenAttributes } from './seen.js'

const seenIn = (...spans: unknown[]) => {
  const seen = new SeenAttributes()
  for (const span of spans) seen.add(span, [])
  return seen.result()
}

it('counts the conventions of spans, and the names that none of them has', () => {
  const chat = {
    gen_ai: { request: { model: 'm', top_k: 1 }, usage: { input_tokens: 1 } },
    my: { key: 'secret' },
  }
  const step = {
    input: { value: 'hi' },
    my: { key: 'secret' },
    list: [{ of: 1 }, { other: 2 }],
    session: { id: 's' },
  }
  const seen = seenIn(chat, step, {})
  expect(seen).toMatchObject({
    spans: 3,
    conventions: [
      { convention: 'OpenTelemetry GenAI', spans: 1 },
      { convention: 'OpenInference', spans: 1 },
      { convention: 'OpenTelemetry, general', spans: 1 },
    ],
    unknown_attributes: [
      { attribute: 'my.key', spans: 2 },
      { attribute: 'list', spans: 1 },
    ],
  })
  expect(JSON.stringify(seen)).not.toContain('secret')
})

it('says what is missing, and how it is said', () => {
  const seen = new SeenAttributes()
  seen.add({}, ['inputs', 'model', 'user'])
  expect(seen.result().missing).toEqual([
    {
      part: 'output',
      set: ['gen_ai.output.messages', 'gen_ai.tool.call.result', 'gen_ai.retrieval.documents'],
    },
    { part: 'usage', set: ['gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens'] },
    { part: 'thread', set: ['gen_ai.conversation.id', 'session.id'] },
  ])
  expect(seenIn()).toEqual({ spans: 0, conventions: [], unknown_attributes: [], missing: [] })
})

it('names of gen_ai are everybody’s, and what the agents’ routes read is known', () => {
  const shared = { total_tokens: 1, cache_read_input_tokens: 2, prompt_tokens: 3 }
  const tool = { call: { id: 't' }, definitions: [{ name: 'rain' }] }
  const seen = seenIn({
    gen_ai: { usage: shared, tool, prompt: [{ role: 'user' }] },
    server: { address: 'localhost', port: 1 },
    logfire: { json_schema: { properties: { a: { type: 'object' } } } },
  })
  expect(seen.conventions.map(({ convention }) => convention)).toEqual([
    'OpenTelemetry GenAI',
    'Pydantic AI, Logfire',
  ])
  expect(seen.unknown_attributes).toEqual([])
})

it('holds few names, and short ones, whatever is sent', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`key${n}`, n]))
  let deep: unknown = 1
  for (let level = 0; level < 1000; level++) deep = { a: deep }
  const seen = seenIn(many, { ['x'.repeat(10_000)]: 1 }, deep, { 'half \ud800': 1 })
  expect(seen.unknown_attributes).toHaveLength(50)
  for (const { attribute } of seen.unknown_attributes) expect(attribute.length).toBeLessThanOrEqual(120)
  expect(seenIn({ ['x'.repeat(10_000)]: 1 }).unknown_attributes[0]!.attribute).toHaveLength(120)
  expect(seenIn(deep).unknown_attributes).toEqual([{ attribute: 'a.a.a.a.a', spans: 1 }])
})
