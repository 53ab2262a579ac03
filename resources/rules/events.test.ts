/** What a score must be to set off a rule. */
import { describe, expect, it } from 'vitest'
import { meets, valueAt } from './events.js'

describe('a score', () => {
  it.each([
    [0.4, '<', 0.5, true],
    [0.5, '<', 0.5, false],
    [0.5, '<=', 0.5, true],
    [1, '>', 0, true],
    [true, '=', true, true],
    [true, '=', 1, false],
    ['good', '!=', 'bad', true],
    ['4', '>', 3, false],
    [undefined, '!=', 3, false],
    [undefined, '=', null, false],
    [0, '=', null, true],
  ] as const)('%j %s %j: %j', (value, comparison, wanted, expected) => {
    expect(meets(value, { comparison, value: wanted })).toBe(expected)
  })

  it('is read by its path, and is not there where the path ends', () => {
    const payload = '{"output":{"value":1.50,"why":null},"list":[1]}'
    expect(valueAt(payload, 'output.value')).toBe(1.5)
    expect(valueAt(payload, 'output.why')).toBeUndefined()
    expect(valueAt(payload, 'output.value.deeper')).toBeUndefined()
    expect(valueAt('', 'output')).toBeUndefined()
  })
})
