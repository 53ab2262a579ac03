import { describe, expect, it } from 'vitest'
import { tableOf } from '../../api/objects'
import { codeOf } from './kinds'

describe('kinds of objects', () => {
  it('finds the table of a dataset', () => {
    expect(tableOf({ rows: 'weave:///e/p/table/aB3' })).toBe('aB3')
    expect(tableOf({ rows: 'weave:///e/p/object/x:aB3' })).toBeUndefined()
    expect(tableOf({ rows: [{}] })).toBeUndefined()
    expect(tableOf('rows')).toBeUndefined()
  })

  it('finds the code of an op', () => {
    expect(codeOf({ files: { 'readme.md': 'a', 'obj.py': 'b' } })).toBe('b')
    expect(codeOf({ files: {} })).toBeUndefined()
  })
})
