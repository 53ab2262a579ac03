import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonNumber, mapStrings, parseTree, treeText, treeValue } from './tree.js'

describe('parseTree', () => {
  it('keeps number text, order and the last of equal keys', () => {
    const text = '{"b":1.0,"a":[12345678901234567890,1E5],"b":-0.0}'
    const tree = parseTree(text)
    expect(tree).toEqual(
      new Map<string, unknown>([
        ['b', new JsonNumber('-0.0')],
        ['a', [new JsonNumber('12345678901234567890'), new JsonNumber('1E5')]],
      ]),
    )
    expect(treeText(tree)).toBe('{"b":-0.0,"a":[12345678901234567890,1E5]}')
  })

  it('is JSON.parse, but for numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.nat(2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const tree = parseTree(text)
        expect(treeValue(tree)).toEqual(JSON.parse(text))
        expect(treeText(tree)).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it.each([
    ['numbers', '1', 4_000_000],
    ['objects', '{}', 800_000],
  ])('refuses more %s than memory should hold', (_, value, count) => {
    expect(() => parseTree(`[${`${value},`.repeat(count)}0]`)).toThrow('too many values')
  })

  it('refuses more keys than memory should hold', () => {
    const keys = Array.from({ length: 1_000_001 }, (_, n) => `"${n}":0`)
    expect(() => parseTree(`{${keys.join(',')}}`)).toThrow('too many values')
  })

  it('makes a plain key of __proto__', () => {
    expect(Object.keys(treeValue(parseTree('{"__proto__":{"x":1}}')) as object)).toEqual(['__proto__'])
  })
})

describe('mapStrings', () => {
  it('changes values at any depth and no keys', () => {
    const tree = parseTree('{"a":["a",{"a":"a"}],"n":1.50}')
    expect(treeText(mapStrings(tree, (text) => text.toUpperCase()))).toBe('{"a":["A",{"a":"A"}],"n":1.50}')
  })
})
