import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { customAttributes } from './custom.js'
import { KnownValues, valueAt } from './known-values.js'
import { instructionsOf, messagesOf, shownText } from './messages.js'
import { spanOf } from './span.js'

const row = (attributes: object, more: object = {}) => ({
  ...{ id: 's', trace_id: 't', parent_id: '', started: 1e15, ended: 0, user_id: 'u', run_id: '' },
  ...{ step: null, step_end: null, status: 0, exception: '', repeats: false },
  text: JSON.stringify({
    name: 'x',
    kind: 'CLIENT',
    attributes,
    events: [],
    ...more,
  }),
})

describe('a span', () => {
  it.each([
    [{ gen_ai: { agent: { name: 'a' } }, weave: { agent: { name: 'b' } } }, { agent_name: 'b' }],
    [{ gen_ai: { agent: { name: 'a' } }, 'weave.agent.name': '' }, { agent_name: '' }],
    [{ 'gen_ai.usage.input_tokens': '12' }, { input_tokens: 12 }],
    [{ gen_ai: { usage: { input_tokens: -1 } } }, { input_tokens: 0 }],
    [{ gen_ai: { provider: { name: 'OpenAI' } } }, { provider_name: 'openai' }],
    [{ gen_ai: { response: { finish_reasons: 'stop' } } }, { finish_reasons: ['stop'] }],
    [{ gen_ai: { tool: { call: { arguments: { a: [1] } } } } }, { tool_call_arguments: '{"a": [1]}' }],
    [{ weave: { eval: { trial_index: 0 } } }, { eval_trial_index: 0 }],
    [
      {},
      { eval_trial_index: null, request_seed: 0, finish_reasons: [], ended_at: null, parent_span_id: null },
    ],
  ])('%j: %j', (attributes, expected) => {
    expect(spanOf(row(attributes))).toMatchObject(expected)
  })

  it('failed by the last event that says so, and a tool’s content may stand in events', () => {
    const exception = (type: string) => ({
      name: 'exception',
      attributes: { exception: { type, message: `${type}!` } },
    })
    const tool = {
      name: 'gen_ai.tool.input',
      attributes: { gen_ai: { tool: { call: { arguments: 'in' } } } },
    }
    const events = [exception('A'), exception('B'), { name: 'exception', attributes: {} }, tool]
    const failed = { ...row({}, { events }), status: 2, exception: 'B!' }
    expect(spanOf(failed)).toMatchObject({
      status_code: 'ERROR',
      error_type: 'B',
      status_message: 'B!',
      tool_call_arguments: 'in',
    })
    expect(spanOf(row({}, { events })).error_type).toBe('')
  })

  it('of any attributes is read', () => {
    const key = fc.constantFrom(
      'gen_ai',
      'weave',
      'usage',
      'input',
      'messages',
      'agent',
      'name',
      'tool',
      'call',
      'x',
      '__proto__',
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.dictionary(key, tie('tree'), { maxKeys: 5 })),
    }))
    fc.assert(
      fc.property(fc.dictionary(key, tree, { maxKeys: 6 }), (attributes) => {
        const span = spanOf(row(attributes))
        expect(typeof span.agent_name).toBe('string')
        expect(span.input_messages.every(({ content }) => typeof content === 'string')).toBe(true)
        customAttributes(JSON.stringify(attributes))
      }),
    )
  })

  it('a key that was kept whole beside its parent is found', () => {
    expect(valueAt({ a: 1, 'a.b': 2 }, 'a.b')).toBe(2)
    expect(valueAt({ a: { 'b.c': 3 } }, 'a.b.c')).toBe(3)
    expect(valueAt({ a: [1] }, 'a.b')).toBeUndefined()
  })

  it('all keys are found in one walk as each is by itself', () => {
    const part = fc.constantFrom('a', 'b', 'c', '__proto__')
    const key = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'))
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, '', 1, [1]),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 8 }), tree, (keys, attributes) => {
        expect(new KnownValues(keys).of(attributes)).toEqual(keys.map((one) => valueAt(attributes, one)))
      }),
    )
  })
})

describe('messages', () => {
  const said = (role: string, content: string, finish_reason = '') => ({ role, content, finish_reason })
  it.each([
    ['hi', [said('user', 'hi')]],
    [5, [said('user', '5')]],
    [true, [said('user', 'true')]],
    [{ role: 'tool', content: 'x' }, [said('tool', 'x')]],
    [{ content: 'x' }, []],
    [
      ['a', 1, { content: 'b', finish_reason: 'stop' }],
      [said('user', 'a'), said('user', 'b', 'stop')],
    ],
    [{ 1: { role: 'x', content: 'b' } }, [said('x', 'b')]],
    [[{ role: 'a', parts: [{ type: 'text' }] }], [said('a', '[{"type": "text"}]')]],
    [[{ role: 'a', content: [1] }], [said('a', '[1]')]],
    [[{ role: 'a', tool_calls: [] }], [said('a', '')]],
  ])('%j', (value, expected) => expect(messagesOf(value, 'user')).toEqual(expected))

  it('instructions are their texts, and parts that are read their text', () => {
    expect(instructionsOf(['a', { content: 'b' }, { text: 'c' }, 1])).toEqual(['a', 'b', 'c'])
    expect(instructionsOf({ content: 'x' })).toEqual([])
    const parts = [
      { type: 'reasoning', content: 'r' },
      { type: 'text', content: 'a' },
      { type: 'blob', content: 'z' },
      { text: 'b' },
    ]
    expect(shownText({ role: 'a', content: JSON.stringify(parts), finish_reason: '' })).toBe('a\n\nb')
    expect(shownText({ role: 'a', content: '[not json', finish_reason: '' })).toBe('[not json')
  })
})

describe('custom attributes', () => {
  it('are by type, flat, without those that agents’ fields are read from', () => {
    const text =
      '{"a":{"b":1,"c":2.0,"d":[1, 2],"e":true,"f":null,"g":"","h":"NaN"},"gen_ai":{"agent":{"name":"x","extra":1},"prompt":[1]}}'
    expect(customAttributes(text)).toEqual({
      custom_attrs_string: { 'a.d': '[1, 2]', 'gen_ai.prompt': '[1]' },
      custom_attrs_int: { 'a.b': 1, 'gen_ai.agent.extra': 1 },
      custom_attrs_float: { 'a.c': 2 },
      custom_attrs_bool: { 'a.e': true },
    })
  })

  it('are at most 1024, and long ones are cut', () => {
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`k${i}`, i]))
    expect(Object.keys(customAttributes(JSON.stringify(many)).custom_attrs_int)).toHaveLength(1024)
    const { long } = customAttributes(JSON.stringify({ long: 'x'.repeat(300_000) })).custom_attrs_string
    expect([long!.length, long!.slice(-33)]).toEqual([
      262_144,
      '...[truncated from 300000 chars]'.padStart(33, 'x'),
    ])
  })
})
