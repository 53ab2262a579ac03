/** A trace as one turn of a chat. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spanOf } from './span.js'
import type { ChatSpan } from './tree.js'
import { turnOf } from './turn.js'

let now = 1e15
/** A span; later ones start later. */
function span(
  id: string,
  parent: string,
  name: string,
  attributes: object = {},
  failed: { status?: number; exception?: string } = {},
): ChatSpan {
  now += 1000
  const started = now
  const text = JSON.stringify({
    name,
    attributes,
    events: [],
  })
  const row = {
    id,
    trace_id: 't',
    parent_id: parent,
    started,
    ended: started + 5000,
    user_id: '',
    run_id: '',
    repeats: false,
  }
  const costs = { input_cost_usd: 1, output_cost_usd: 2, total_cost_usd: 3 }
  return {
    ...spanOf({ ...row, step: null, step_end: null, text, status: 0, exception: '', ...failed }),
    ...costs,
    started,
    ended: started + 5000,
    repeats: false,
  }
}

const said = (input: unknown, output: unknown, more: object = {}) => ({
  ...{ 'gen_ai.input.messages': input, 'gen_ai.output.messages': output, ...more },
})
const user = (content: string) => ({ role: 'user', content })
const model = (content: string) => ({ role: 'assistant', content })

/** Kind and text of each message. */
function told(spans: ChatSpan[], modelToolCalls = false): string[] {
  return turnOf('t', spans, { modelToolCalls }).messages.map((one) => {
    const text =
      one.user_message?.text ??
      one.assistant_message?.text ??
      one.tool_call?.tool_name ??
      one.agent_start?.system_instructions ??
      ''
    return `${one.type.split('_')[0]} ${text}`.trim()
  })
}

describe('a turn', () => {
  it('shows what is new of a history, tools, and what an agent says only if nobody below did', () => {
    const history = [user('a'), model('b'), user('c')]
    const spans = [
      span('1', '', 'invoke_agent A', said([user('c')], [model('d')])),
      span('2', '1', 'chat', said([user('c')], [])),
      span('3', '1', 'execute_tool f'),
      span('4', '1', 'chat', said([...history, model('x'), { role: 'tool', content: 'y' }], [model('d')])),
    ]
    expect(told(spans)).toEqual(['user c', 'agent', 'tool f', 'assistant d'])
    expect(told(spans.slice(0, 1))).toEqual(['user c', 'agent', 'assistant d'])
  })

  it('shows instructions once, in the start of their agent', () => {
    const system = { 'gen_ai.system_instructions': 'be kind' }
    const spans = [
      span('1', '', 'invoke_agent A'),
      span('2', '1', 'chat', said([user('a')], [model('b')], system)),
      span('3', '1', 'chat', said([user('c')], [model('d')], system)),
    ]
    expect(told(spans)).toEqual(['user a', 'agent be kind', 'assistant b', 'user c', 'assistant d'])
  })

  it('a model that only thought, or failed, is shown; a parent’s copy of its child’s answer is not', () => {
    const thought = { role: 'assistant', parts: [{ type: 'reasoning', content: 'hm' }] }
    expect(told([span('1', '', 'chat', said([], [thought]))])).toEqual(['assistant'])
    expect(told([span('1', '', 'chat', {}, { status: 2, exception: 'no' })])).toEqual(['assistant'])
    const spans = [
      span('1', '', 'x', said([], [model('b')], { 'gen_ai.request.model': 'm' })),
      span('2', '1', 'chat', said([], [model('b')])),
    ]
    const { messages } = turnOf('t', spans, { modelToolCalls: false })
    expect(messages.map(({ span_id, assistant_message }) => [span_id, assistant_message?.model])).toEqual([
      ['2', 'm'],
    ])
  })

  it('notifications and tools that only a model asked for', () => {
    const call = {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'c', name: 'f', arguments: { a: 1 } }],
    }
    const spans = [span('1', '', 'chat', said([user('<task-notification>x</task-notification>')], [call]))]
    expect(told(spans)).toEqual(['tool Task notification'])
    expect(told(spans, true)).toEqual(['tool Task notification', 'tool f'])
    const ran = span('2', '1', 'execute_tool f', { 'gen_ai.tool.call.id': 'c' })
    expect(told([...spans, ran], true)).toEqual(['tool Task notification', 'tool f'])
  })

  it('has the header of its only root, and sums', () => {
    const usage = { 'gen_ai.usage.input_tokens': 5 }
    const spans = [
      span('1', '', 'invoke_agent A'),
      span('2', '1', 'chat', usage),
      span('3', '1', 'chat', usage),
    ]
    expect(turnOf('t', spans, { modelToolCalls: false })).toMatchObject({
      root_span_name: 'A',
      agent_name: 'A',
      total_input_tokens: 10,
      total_cost_usd: 9,
      total_duration_ms: 5,
    })
    expect(turnOf('t', [], { modelToolCalls: false })).toMatchObject({
      messages: [],
      root_span_name: null,
      total_cost_usd: null,
    })
  })

  it('of any tree, circles among them, tells each span at most once', () => {
    const link = fc.tuple(
      fc.nat(9),
      fc.nat(12),
      fc.constantFrom('chat', 'invoke_agent A', 'execute_tool f', 'x'),
    )
    fc.assert(
      fc.property(fc.uniqueArray(link, { selector: ([id]) => id }), (links) => {
        const spans = links.map(([id, parent, name]) =>
          span(String(id), String(parent), name, said([user(`u${id}`)], [model(`m${id}`)])),
        )
        const ids = turnOf('t', spans, { modelToolCalls: true })
          .messages.filter(({ type }) => type === 'assistant_message' || type === 'tool_call')
          .map(({ span_id }) => span_id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
    )
  })

  it('deep trees end', () => {
    const spans = Array.from({ length: 20_000 }, (_, i) => span(String(i), String(i - 1), 'execute_tool f'))
    expect(told(spans)).toHaveLength(200)
  })
})
