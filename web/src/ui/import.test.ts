import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csv, jsonLines } from './export'
import { rowsOf } from './import'

describe('rows of a file', () => {
  it('are JSON lines, a list, or CSV', () => {
    const rows = [{ a: 1 }, { a: 'x' }]
    expect(rowsOf('{"a":1}\n\n{"a":"x"}\n')).toEqual(rows)
    expect(rowsOf('[{"a":1},{"a":"x"}]')).toEqual(rows)
    expect(rowsOf('\ufeffa\r\n1\r\nx\r\n')).toEqual(rows)
  })

  it('of a CSV keep texts, and know numbers and JSON', () => {
    const text = 'q,n,code,on,more,answer.sum\n"Who, ""exactly""?\nAgain",1.5,007,true,"[1,2]",3\n,,1.0,,,\n'
    expect(rowsOf(text)).toEqual([
      { q: 'Who, "exactly"?\nAgain', n: 1.5, code: '007', on: true, more: [1, 2], answer: { sum: 3 } },
      { q: '', n: '', code: '1.0', on: '', more: '', answer: { sum: '' } },
    ])
    expect(rowsOf('a,b\n1,\n')).toEqual([{ a: 1, b: '' }])
  })

  it.each([
    ['{"a":1}\n{', 'Line 2'],
    ['[1]', 'Row 1'],
    ['a,b\n1', '1 cells'],
    ['a\n"x', 'quote'],
    ['a,\n1,2', 'name every column'],
  ])('%j is refused', (text, why) => expect(() => rowsOf(text)).toThrow(why))

  it('are those that were exported', () => {
    const row = fc.record({
      q: fc.string({ minLength: 1 }).map((text) => `t${text}`),
      n: fc.integer(),
      on: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        expect(rowsOf(csv(rows))).toEqual(rows)
        expect(rowsOf(jsonLines(rows))).toEqual(rows)
      }),
    )
  })

  it('never touch what every object has', () => {
    expect(rowsOf('__proto__.polluted,a\n1,2')[0]).toHaveProperty('a', 2)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})
