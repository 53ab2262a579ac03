import { expect, it } from 'vitest'
import { judgementPath, nameIn, saidOf } from './shown'

it('finds the judgement among what feedback holds', () => {
  const path = (json_path: string, value_type: 'numeric' | 'boolean' | 'categorical') => ({
    json_path,
    value_type,
  })
  const value = path('output.value', 'boolean')
  const confidence = path('output.confidence', 'numeric')
  const own = path('output.overlap', 'numeric')
  expect(judgementPath([confidence, path('output.reason', 'categorical'), value])).toBe(value)
  expect(judgementPath([confidence, own])).toBe(own)
  expect(judgementPath([confidence])).toBeUndefined()
})

it('says a judgement in few words', () => {
  expect(saidOf({ value: true, confidence: 0.9, reason: 'It says so.' })).toEqual({
    ...{ text: 'true', isTrue: true, why: 'It says so.' },
  })
  expect(saidOf({ passed: false })).toEqual({ text: 'false', isTrue: false, why: '' })
  expect(nameIn('weave:///a/b/object/refusal:v3')).toBe('refusal')
})
