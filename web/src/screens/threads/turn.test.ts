import { describe, expect, it } from 'vitest'
import type { Call } from '../../api/client'
import { stepsOf, turnMessages } from './turn'

const saying = (inputs: Record<string, unknown>, output: unknown = null) =>
  turnMessages({ inputs, output }).map(({ role, parts }) => [
    role,
    ...parts.map((part) => (part.kind === 'text' ? part.text : part.kind)),
  ])

describe('a turn', () => {
  it('leaves what was said before to the turns before it', () => {
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'first' },
      { role: 'user', content: 'two' },
    ]
    expect(saying({ messages }, { role: 'assistant', content: 'second' })).toEqual([
      ['user', 'two'],
      ['assistant', 'second'],
    ])
  })

  it('finds the text among the fields of a program', () => {
    expect(saying({ self: 'weave:///e/p/object/Agent:1', anything: 'hi' }, { answer: 'ho', n: 1 })).toEqual([
      ['user', 'hi'],
      ['assistant', 'ho'],
    ])
    expect(saying({ user: 4, question: 'why?' }, [1])).toEqual([
      ['user', 'why?'],
      ['assistant', 'json'],
    ])
    expect(saying({ a: 'x', b: 'y' })).toEqual([['user', 'json']])
    expect(saying({}, '')).toEqual([])
  })

  it('has each step below the call that made it, and what nobody made at the top', () => {
    const call = (id: string, parent_id?: string) => ({ id, parent_id }) as Call
    const calls = [call('turn'), call('a', 'turn'), call('b', 'a'), call('c', 'gone'), call('d', 'turn')]
    expect(stepsOf(calls, 'turn').map(({ call: { id }, depth }) => [id, depth])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 0],
      ['d', 0],
    ])
    expect(
      stepsOf([call('turn', 'a'), call('a', 'turn'), call('x', 'y'), call('y', 'x')], 'turn'),
    ).toHaveLength(1)
  })
})
