import { describe, expect, it } from 'vitest'
import type { ModelPlan, ScorerPlan } from '../domain/evaluation/plan.js'
import { type JsonTree, parseTree, treeText } from '../platform/json/tree.js'
import { judgementOf, questionOf } from './judge.js'

const model: ModelPlan = {
  ...{ name: 'm', at: 'provider', reads: [], params: {}, format: 'text', schema: null },
  messages: [{ role: 'system', content: 'Be brief about {topic}.' }],
}
const row = (value: unknown) => parseTree(JSON.stringify(value)) as Map<string, JsonTree>
const user = (content: string) => ({ role: 'user', content })
const texts = (messages: JsonTree[]) => JSON.parse(treeText(messages)) as unknown

describe('a question', () => {
  it('is the model’s messages, formatted, then the row’s', () => {
    const asked = (more: object) => texts(questionOf(model, row({ topic: 'Paris', ...more })))
    const own = { role: 'system', content: 'Be brief about Paris.' }
    expect(asked({})).toEqual([own])
    expect(asked({ user_input: 'Hi' })).toEqual([own, user('Hi')])
    expect(asked({ user_input: [user('a'), 'b'] })).toEqual([own, user('a'), user('b')])
    // The column is one like others where the model has messages of its own.
    expect(asked({ messages: [user('x')] })).toEqual([own])
  })

  it('is the row’s messages where the model has none', () => {
    const bare = { ...model, messages: [] }
    expect(texts(questionOf(bare, row({ messages: [user('x')] })))).toEqual([user('x')])
    expect(questionOf(bare, row({ q: 1 }))).toEqual([])
  })
})

describe('a judgement', () => {
  it('knows the output, the row, and columns by the names of the scorer', () => {
    const scorer: ScorerPlan = {
      ...{ ref: 'r', name: 's', op: 'o', columns: { answer: 'expected' } },
      rule: { kind: 'judge', model, messages: [user('{output} or {answer}? {q}')] },
    }
    const messages = judgementOf(
      { model, messages: [user('{output} or {answer}? {q}')] },
      scorer,
      row({ a: 1 }),
      row({ expected: 'x', q: 'why' }),
    )
    // The messages of its model are no template here, as in the SDK.
    expect(texts(messages)).toEqual([model.messages[0], user('{"a":1} or x? why')])
  })
})
