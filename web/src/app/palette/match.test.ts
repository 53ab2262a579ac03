import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchOf, ranked } from './match'

const best = (typed: string, ...names: string[]) => ranked(typed, names, (name) => name)

describe('what is typed', () => {
  it.each<[string, string[], string]>([
    ['eu', ['Evaluate us', 'End users', 'Queues'], 'End users'],
    ['end us', ['Send usage', 'End users'], 'End users'],
    ['set', ['Datasets', 'Settings'], 'Settings'],
    ['PLAY', ['Playground', 'Display'], 'Playground'],
    ['ns', ['Notes', 'newSettings'], 'newSettings'],
    ['acme one', ['acme/two-one', 'acme/one'], 'acme/one'],
    ['thr', ['Threads', 'The reader'], 'Threads'],
  ])('%j means first what fits best', (typed, names, first) => expect(best(typed, ...names)[0]).toBe(first))

  it.each(['xyz', 'sdaerht', 'threadss', 'a'.repeat(61)])('%j fits nothing that lacks its letters', (typed) =>
    expect(best(typed, 'Threads')).toEqual([]),
  )

  it('leaves all as they are while nothing is typed', () => {
    expect(best('', 'b', 'a')).toEqual(['b', 'a'])
    expect(best('  ', 'b', 'a')).toEqual(['b', 'a'])
  })

  it('stands in the name, letter by letter, in its order', () => {
    const letter = fc.constantFrom(...'abAB/ -.é😀İ')
    const text = fc.string({ unit: letter, maxLength: 30 })
    fc.assert(
      fc.property(text, text, (typed, name) => {
        const match = matchOf(typed, name)
        const letters = typed.toLowerCase().replaceAll(/\s+/g, '')
        if (!match || letters === '') return
        const places = match.at.filter((_, i) => i === 0 || match.at[i]! > match.at[i - 1]!)
        expect(places).toEqual(match.at)
        expect(Number.isFinite(match.score)).toBe(true)
      }),
    )
  })

  it('fits every name by any letters taken out of it', () => {
    const name = fc.string({ unit: fc.constantFrom(...'abcdef XY/'), minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(name, fc.array(fc.nat(39), { maxLength: 8 }), (text, places) => {
        const typed = [...new Set(places)]
          .sort((a, b) => a - b)
          .map((place) => text[place] ?? '')
          .join('')
        expect(matchOf(typed, text)).toBeDefined()
      }),
    )
  })
})
