import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonTree, parseTree } from '../platform/json/tree.js'
import { RowFailure } from './failure.js'
import { format, formatMessage } from './template.js'

const row = parseTree(
  '{"name":"Ada","n":1.0,"yes":true,"none":null,"list":[1,"b"],"in":{"a b":{"c":"deep"}}}',
) as Map<string, JsonTree>

describe('a text with variables', () => {
  it.each([
    ['Hello {name}!', 'Hello Ada!'],
    ['{n} {yes} {none} {list}', '1.0 True None [1,"b"]'],
    ['{list[1]} {in[a b].c} {in}', 'b deep {"a b":{"c":"deep"}}'],
    ['{{name}} {{{name}}}', '{name} {Ada}'],
    ['', ''],
  ])('%j is %j', (text, said) => {
    expect(format(text, row)).toBe(said)
  })

  it.each([
    ['{other}', 'names {other}, which does not exist; known are in, list, n, name, none, yes'],
    ['{name.first}', 'names {name.first}, which does not exist'],
    ['{list[5]}', 'names {list[5]}, which does not exist'],
    ['{}', 'has {}, which is no variable'],
    ['{"a": 1}', 'double the braces'],
    ['{name!r}', 'which is no variable'],
    ['{n:.2f}', 'which is no variable'],
    ['a } b', 'a brace by itself'],
  ])('%j is refused', (text, why) => {
    expect(() => format(text, row)).toThrow(RowFailure)
    expect(() => format(text, row)).toThrow(why)
  })

  it('takes the place of variables up to a size, however often they are named', () => {
    const variables = new Map([['x', 'y'.repeat(1_000_000)]])
    const often = '{x}'.repeat(10_000)
    for (const work of [() => format(often, variables), () => formatMessage([often, often], variables)])
      expect(work).toThrow('gets too long with its variables')
    expect(() => formatMessage(Array(20).fill('{x}'), variables)).toThrow(RowFailure)
    expect(format('{x}', variables)).toHaveLength(1_000_000)
  })

  it('has no variables but those given', () => {
    for (const name of [
      'constructor',
      '__proto__',
      'list.constructor',
      'list[length]',
      'in.toString',
      'name[0]',
    ])
      expect(() => format(`{${name}}`, row)).toThrow(RowFailure)
  })

  it('leaves values as they are, whatever stands in them', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(format('<{x}>', new Map([['x', value]]))).toBe(`<${value}>`)
      }),
    )
  })

  it('is filled in wherever it stands in a message', () => {
    const message = parseTree('{"role":"user","content":[{"type":"text","text":"{name}"}]}')
    expect(formatMessage(message, row)).toEqual(
      parseTree('{"role":"user","content":[{"type":"text","text":"Ada"}]}'),
    )
  })
})
