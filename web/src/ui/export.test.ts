import { describe, expect, it } from 'vitest'
import { CsvTable, csv, flatten, jsonLines } from './export'

describe('export', () => {
  it('gives each field of any row a column, and quotes what must be', () => {
    const rows = [
      { a: 1, b: { c: 'x, "y"' } },
      { a: null, d: [1, 2], e: {} },
    ]
    expect(csv(rows)).toBe('a,b.c,d,e\r\n1,"x, ""y""",,\r\n,,"[1,2]",{}\r\n')
    expect(csv([{ t: 'two\nlines' }])).toBe('t\r\n"two\nlines"\r\n')
  })

  it('has as many cells in lines that came before a column was found', () => {
    const table = new CsvTable().add([{ a: 1 }]).add([{ b: 2, a: 3 }])
    expect(table.parts().join('')).toBe('a,b\r\n1,\r\n3,2\r\n')
  })

  it('keeps a row as it is in JSON lines', () => {
    expect(jsonLines([{ a: 'x\ny' }, 2])).toBe('{"a":"x\\ny"}\n2\n')
  })

  it('flattens what is inside, but not lists', () => {
    expect(flatten({ a: { b: { c: 1 } }, d: [{ e: 2 }] })).toEqual({ 'a.b.c': 1, d: [{ e: 2 }] })
  })
})
