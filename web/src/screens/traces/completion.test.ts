import { describe, expect, it } from 'vitest'
import type { Call } from '../../api/client.js'
import { completionsOf } from './completion.js'
import { compile } from './language.js'

const calls = ['gpt-4o', 'an odd "one"'].map(
  (model) => ({ inputs: { model }, output: null, op_name: 'ask' }) as unknown as Call,
)

describe('the text of a filter goes on', () => {
  it.each([
    ['stat', ['status:']],
    ['status:err', ['status:error', 'status:descendant_error']],
    ['status:error inputs.mo', ['status:error inputs.model:']],
    ['(latency>2s or inputs.model:gp', ['(latency>2s or inputs.model:gpt-4o']],
    ['inputs.model~odd', ['inputs.model~"an odd \\"one\\""']],
    ['"within a te', []],
    ['nothing.like.it', []],
  ])('%s', (text, expected) => {
    expect(completionsOf(text, calls)).toEqual(expected)
  })

  it('to what compiles', () => {
    for (const text of completionsOf('inputs.model:', calls)) expect(compile(text)).toBeDefined()
  })
})
