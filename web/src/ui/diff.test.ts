import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesOf, type Line, linesOf, rowChanges } from './diff'

const SIGNS = { same: ' ', added: '+', removed: '-' }
const shown = (lines: readonly Line[]) =>
  lines.map(({ kind, words }) => {
    const text = words.map((word) => (word.isChanged ? `[${word.text}]` : word.text)).join('')
    return `${SIGNS[kind]}${text}`
  })

describe('diff', () => {
  it('names what was added, removed and changed, at the highest place', () => {
    expect(changesOf({ a: 1, b: { c: [1, 2] }, d: 0 }, { a: 1, b: { c: [1, 3, 4] }, e: { f: 1 } })).toEqual([
      { path: 'b.c.1', kind: 'changed', before: 2, after: 3 },
      { path: 'b.c.2', kind: 'added', after: 4 },
      { path: 'd', kind: 'removed', before: 0 },
      { path: 'e', kind: 'added', after: { f: 1 } },
    ])
    expect(changesOf([], {})).toEqual([{ path: '', kind: 'changed', before: [], after: {} }])
    expect(changesOf({ a: [null] }, { a: [null] })).toEqual([])
  })

  it('keeps the lines that two texts have in common', () => {
    expect(shown(linesOf('a\nb\nc', 'a\nc\nd'))).toEqual([' a', '-b', ' c', '+d'])
    expect(shown(linesOf('', 'a\nb'))).toEqual(['-', '+a', '+b'])
    const long = 'x\n'.repeat(3_000)
    expect(shown(linesOf(long, `${long}y`)).filter((line) => line[0] !== ' ')).toEqual(['-', '+y'])
  })

  it('names the words that differ in a changed line', () => {
    expect(shown(linesOf('a\nthe quick fox\nz', 'a\nthe slow fox\nz'))).toEqual([
      ' a',
      '-the [quick] fox',
      '+the [slow] fox',
      ' z',
    ])
    // Nothing in common: the lines as they are.
    expect(shown(linesOf('one two', 'three four'))).toEqual(['-one two', '+three four'])
  })

  it('is both texts, whatever they are, and however much of them changed', () => {
    const word = fc.constantFrom('a', 'b', ' ', '\n', '\r', 'é', '🧵', '**')
    const text = fc.array(word, { maxLength: 40 }).map((parts) => parts.join(''))
    const side = (lines: readonly Line[], other: Line['kind']) =>
      lines
        .filter(({ kind }) => kind !== other)
        .map(({ words }) => words.map((one) => one.text).join(''))
        .join('\n')
    const holds = (before: string, after: string) => {
      const lines = linesOf(before, after)
      expect([side(lines, 'added'), side(lines, 'removed')]).toEqual([before, after])
    }
    fc.assert(fc.property(text, text, holds))
    const many = (what: string) => Array.from({ length: 3_000 }, (_, i) => `${what}${i}`).join('\n')
    holds(many('a'), many('b'))
    holds('a '.repeat(900), 'b '.repeat(900))
  })

  it('counts a row that is there twice twice', () => {
    const rows = (...digests: string[]) => digests.map((digest) => ({ digest }))
    expect(rowChanges(rows('a', 'b', 'b'), rows('b', 'c'))).toEqual({
      added: rows('c'),
      removed: rows('a', 'b'),
    })
  })
})
