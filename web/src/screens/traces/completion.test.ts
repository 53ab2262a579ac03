import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../api/client.js'
import { fieldCompletions, placeAt, valueCompletions, valuesIn } from './completion.js'
import { compile } from './language.js'

const calls = ['gpt-4o', 'an odd "one"'].map(
  (model) => ({ inputs: { model }, output: null, op_name: 'ask' }) as unknown as Call,
)

/** The texts that a text may become. */
function texts(before: string): string[] {
  const place = placeAt(before)
  if (place === undefined) return []
  const found =
    place.kind === 'field'
      ? fieldCompletions(place.begun, calls)
      : valueCompletions(place, valuesIn(calls, place.field))
  return found.map(({ text }) => before.slice(0, place.from) + text)
}

describe('the text of a filter goes on', () => {
  it.each([
    ['stat', ['status:']],
    ['status:err', ['status:error', 'status:descendant_error']],
    ['-status:err', ['-status:error', '-status:descendant_error']],
    ['status:error inputs.mo', ['status:error inputs.model:']],
    ['(latency>2s or inputs.model:gp', ['(latency>2s or inputs.model:gpt-4o']],
    ['inputs.model~odd', ['inputs.model~"an odd \\"one\\""']],
    ['inputs.model:"an odd', ['inputs.model:"an odd \\"one\\""']],
    ['"within a te', []],
    ['nothing.like.it', []],
    ['nothing:', []],
    ['latency>2', []],
  ])('%s', (text, expected) => {
    expect(texts(text)).toEqual(expected)
  })

  it('to what compiles', () => {
    for (const text of texts('inputs.model:')) expect(compile(text)).toBeDefined()
  })

  it('whatever was typed before', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a:"\\()<>=!~- ', 'status', 'or') }), (text) => {
        const place = placeAt(text)
        if (place) expect(text.slice(place.from).replace(/^"/, '')).toBe(place.begun)
      }),
    )
  })
})
