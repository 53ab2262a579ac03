/** One request for all classifiers of a call: what is asked, what is taken from the answer, and who has its cost. */
import { describe, expect, it } from 'vitest'
import { parseTree, treeValue } from '../platform/json/tree.js'
import { answerOf, Classifiers, classifierQuestion } from './classifiers.js'
import type { CallRow } from './reads.js'

const model = {
  name: 'm',
  at: 'provider',
  reads: [],
  messages: [],
  params: {},
  format: 'json',
  schema: null,
} as const
const rule = {
  ...{ kind: 'classifier' as const, model: { ...model, reads: [], messages: [] } },
  classifiers: [
    { name: 'angry', prompt: 'The user is {angry}.' },
    { name: 'lost', prompt: 'The user can not go on.' },
  ],
}
const call: CallRow = {
  ...{ id: 'c', trace_id: 't', parent_id: '', op_name: 'chat', started: 1, ended: 2, exception: '' },
  ...{ inputs: '{"q":"Why?"}', output: '"No."', attributes: '{}' },
  ...{ conversation: '', agent_name: '', agent_version: '', span_status: 0 },
}
const plan = (name: string) => ({ ref: `ref of ${name}`, name, op: 'op', columns: {}, rule })
const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4, requests: 1 }

describe('a question', () => {
  const text = (one: CallRow) => (treeValue(classifierQuestion(rule, one)) as { content: string }).content

  it('shows the call and each statement by its name, braces and all', () => {
    const shown = text(call)
    for (const part of ['{"q":"Why?"}', '"No."', 'chat', '<statement name="angry">\nThe user is {angry}.'])
      expect(shown).toContain(part)
    expect(shown).not.toContain('<error>')
    expect(text({ ...call, exception: 'boom' })).toContain('<error>\nboom\n</error>')
  })

  it('shows the beginning of long texts', () => {
    expect(text({ ...call, inputs: 'x'.repeat(1e6) }).length).toBeLessThan(60_000)
  })
})

describe('an answer', () => {
  const own = '{"is_match":true,"confidence":0.75,"reason":"It says so."}'
  const taken = { value: true, confidence: 0.75, reason: 'It says so.' }

  it.each([`{"angry":${own}}`, `{"classifiers":{"angry":${own},"lost":{}}}`])('is taken from %s', (text) => {
    expect(treeValue(answerOf(parseTree(text), 'angry'))).toEqual(taken)
  })

  it.each(['{}', '{"angry":true}', '{"angry":{"is_match":"yes"}}', '"angry"'])('is none in %s', (text) => {
    expect(() => answerOf(parseTree(text), 'angry')).toThrow('did not say whether angry holds')
  })

  it('is asked for once for a call and monitor, and paid once', async () => {
    let asked = 0
    const classifiers = new Classifiers(async () => {
      asked++
      return { output: parseTree(`{"angry":${own},"lost":{"is_match":false}}`), model: 'm', usage }
    })
    const of = { call, monitor: { ref: 'one', name: 'one' } }
    const { signal } = new AbortController()
    const [first, second] = await Promise.all(
      rule.classifiers.map(({ name }) => classifiers.score(plan(name), rule, of, signal)),
    )
    expect([treeValue(first!.value), first!.usage]).toEqual([taken, { m: usage }])
    expect([treeValue(second!.value), second!.usage]).toEqual([
      { value: false, confidence: null, reason: null },
      {},
    ])
    await classifiers.score(plan('lost'), rule, { call, monitor: { ref: 'two', name: 'two' } }, signal)
    expect(asked).toBe(2)
  })
})
