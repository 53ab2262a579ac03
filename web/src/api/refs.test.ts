import { describe, expect, it } from 'vitest'
import { refsIn } from '../../../domain/refs/in-values'
import { namedRef, withValues } from './refs'

const bot = 'weave:///acme/one/object/my%20bot:abc'
const system = `${bot}/attr/system`

describe('refs in values', () => {
  it('are found at any depth, each once; other refs and texts about refs are none', () => {
    const value = { self: bot, list: [{ text: system }, system], op: 'weave:///acme/one/op/f:x', n: 1 }
    expect(refsIn([value, `see ${system}`, null]).sort()).toEqual([bot, system])
  })

  it('are found in values that are deeper than the stack', () => {
    let deep: unknown = system
    for (let i = 0; i < 200_000; i++) deep = [deep]
    expect(refsIn(deep)).toEqual([system])
  })

  it('give way to what they point at, where that is known', () => {
    const given = { text: system, other: [bot] }
    expect(withValues(given, new Map([[system, 'Be kind.']]))).toEqual({ text: 'Be kind.', other: [bot] })
  })

  it('have a name and a path to read', () => {
    const at = { project: 'acme/one', name: 'my bot', digest: 'abc' }
    expect(namedRef(system)).toEqual({ ...at, path: 'system' })
    expect(namedRef(`${bot}/attr/rows/id/xyz/key/question`)).toEqual({ ...at, path: 'rows.question' })
  })
})
