import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { literalsOf, literalsOfNames } from './literals.js'
import { Names } from './names.js'

describe('literalsOf', () => {
  it.each([
    ['EMP-[0-9]{6}', ['EMP-']],
    [String.raw`^\bcase: \d+$`, ['case: ']],
    ['(?:Mr|Mrs) Smith(son)?', [' Smith']],
    ['abcd?e', ['abc']],
    ['abc{2}d', ['abc']],
    ['abc{0,2}def', ['def']],
    ['one|two|three', ['one', 'two', 'three']],
    ['one|[a-z]+', undefined],
    ['[A-Z]{2}-[0-9]+', undefined],
    ['(?i)secret', undefined],
    [String.raw`ab"cd/efg\\h`, ['efg']],
    [String.raw`\x41BCD`, undefined],
  ])('%j: %j', (pattern, expected) => {
    expect(literalsOf(pattern, false)?.map(({ text }) => text)).toEqual(expected)
  })

  it('of every match has one', () => {
    const atom = fc.constantFrom(
      ...['a', 'B', 'k', '-', '.', '[a-c]', '[^]x]', String.raw`\d`, String.raw`\.`, String.raw`\b`],
      ...['(?:ab|c)', '(Ba)', '^', '$', 'é', 'abcd', 'BaB-'],
    )
    const times = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{0,2}', '{1,}', '+?', '??')
    const part = fc.tuple(atom, times).map((both) => both.join(''))
    const sequence = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
    const pattern = fc.array(sequence, { minLength: 1, maxLength: 2 }).map((all) => all.join('|'))
    const text = fc.stringMatching(/^[aAbBcCdDkK\u212a.é1-]{0,30}$/)
    fc.assert(
      fc.property(pattern, fc.boolean(), fc.array(text, { maxLength: 8 }), (given, ignoreCase, texts) => {
        const literals = literalsOf(given, ignoreCase)
        fc.pre(literals !== undefined)
        let made: RE2JS
        try {
          made = RE2JS.compile(given, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
        } catch {
          return
        }
        // What can match is made of the literals themselves, too.
        for (const one of [...texts, ...literals.map(({ text: word }) => texts.join(word))]) {
          const matcher = made.matcher(one)
          while (matcher.find()) {
            const match = matcher.group() ?? ''
            const found = literals.some(({ text: word, isFolded }) =>
              (isFolded ? match.toLowerCase() : match).includes(word),
            )
            expect(found || match === '').toBe(true)
          }
        }
      }),
    )
  })
})

it('names are found by a word of each', () => {
  const names = ['Ann Lee', 'Zoë Kask', 'O’Neill']
  expect(literalsOfNames(names, false)?.map(({ text }) => text)).toEqual(['Ann', 'Kask', 'Neill'])
  expect(literalsOfNames(['Ski Kass'], true)).toBeUndefined()
  const places: number[] = []
  new Names(['Mona Lisa'], true).find('mona LISA', (from) => places.push(from))
  expect([places, literalsOfNames(['Mona Lisa'], true)]).toEqual([[0], [{ text: 'mona', isFolded: true }]])
})
