import { describe, expect, it } from 'vitest'
import { jsonProblem } from '../../ui/json-problem'
import { draftOf, EMPTY, inputsOf, problemOf, promptMessages, variableNames } from './draft'

const call = { id: 't1', type: 'function', function: { name: 'f', arguments: '{}' } }
const OPENAI = {
  model: 'stub/gpt',
  messages: [
    { role: 'system', content: 'Be {mood}.' },
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 't1', content: '42' },
  ],
  tools: [{ type: 'function', function: { name: 'f' } }],
  response_format: { type: 'json_object' },
  temperature: 0.5,
  stream: true,
  template_vars: { mood: 'kind' },
}

describe('a draft', () => {
  it('of an OpenAI call asks the same again', () => {
    const { stream: _, ...same } = OPENAI
    const draft = draftOf({ inputs: OPENAI, output: null })
    expect(problemOf(draft)).toBeUndefined()
    expect(inputsOf(draft, 'stub/gpt')).toEqual(same)
    expect(inputsOf(draft, 'other').model).toBe('other')
  })

  it('of calls of other interfaces has their texts', () => {
    const anthropic = {
      system: 'Be kind.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    }
    expect(
      draftOf({ inputs: anthropic, output: { content: [{ type: 'text', text: 'Ho' }] } }).messages,
    ).toEqual([
      { role: 'system', text: 'Be kind.' },
      { role: 'user', text: 'Hi' },
    ])
    expect(draftOf({ inputs: { x: 1 }, output: 2 }).messages).toEqual(EMPTY.messages)
  })

  it('of prompts has their messages', () => {
    expect(promptMessages({ content: 'Be kind.' })).toEqual([{ role: 'system', text: 'Be kind.' }])
    expect(promptMessages({ messages: [{ role: 'user', content: '{q}' }] })).toEqual([
      { role: 'user', text: '{q}' },
    ])
    expect(promptMessages({ rows: [] })).toBeUndefined()
  })

  it('has the variables that its messages name, and takes those of a row in their place', () => {
    const messages = [
      { role: 'system', text: 'Be {mood}: {"a": 1} {0}' },
      { role: 'user', text: '{q} {mood}' },
    ]
    expect(variableNames(messages)).toEqual(['mood', 'q'])
    const draft = { ...EMPTY, messages, variables: { mood: 'kind', gone: 'x' } }
    expect(inputsOf(draft, 'm').template_vars).toEqual({ mood: 'kind' })
    expect(inputsOf(draft, 'm', { q: 1 }).template_vars).toEqual({ q: 1 })
  })

  it('has variables in double braces, which the service gets in single ones where they have a value', () => {
    const messages = [{ role: 'user', text: '{{ q }} and {{mood}}' }]
    expect(variableNames(messages)).toEqual(['q', 'mood'])
    expect(inputsOf({ ...EMPTY, messages, variables: { q: 'x' } }, 'm').messages).toEqual([
      { role: 'user', content: '{q} and {{mood}}' },
    ])
  })

  it('says which field is no JSON', () => {
    expect(jsonProblem('', 'list')).toBeUndefined()
    expect(jsonProblem('{}', 'list')).toContain('list')
    expect(jsonProblem('[', 'list')).toBeDefined()
    expect(problemOf({ ...EMPTY, tools: '{}' })).toContain('Tools')
    expect(problemOf({ ...EMPTY, messages: [{ role: 'user', text: '[]', isJson: true }] })).toContain(
      'Message 1',
    )
    expect(problemOf({ ...EMPTY, messages: [] })).toContain('no message')
  })
})
