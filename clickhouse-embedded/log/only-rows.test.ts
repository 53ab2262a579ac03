import { expect, test } from 'vitest'
import { keysIn, onlyRows } from './only-rows.js'

const said = '/* only k = {p0:String} */'
const inParts = '/* only in parts */'
const other = '/*only k={ p1 : String }*/'

test.each([
  [`SELECT 1 FROM t ${said} WHERE k = {p0:String}`, ['p0']],
  [`SELECT 1 FROM db.t${said} UNION ALL SELECT 2 FROM t ${other}`, ['p0', 'p1']],
  [`SELECT 1 FROM t ${said}, t_of_others, at`, ['p0']],
  [`SELECT 1 FROM t ${inParts} UNION ALL SELECT 2 FROM t ${said}`, ['p0']],
  [`SELECT 1 FROM t ${inParts}`, []],
])('%s reads some rows', (sql, parameters) => {
  expect(onlyRows(sql, 't', 'k')).toEqual(parameters.map((name) => ({ name, isList: false })))
})

test.each([
  'SELECT 1 FROM t',
  `SELECT 1 FROM t ${said} UNION ALL SELECT 2 FROM t`,
  `SELECT t.k FROM t ${said}`,
  `SELECT 1 FROM t AS x ${said}`,
  `SELECT 1 FROM t ${inParts} UNION ALL SELECT 2 FROM t`,
  'SELECT 1 FROM t /* only v = {p0:String} */',
  'SELECT 1 FROM t /* only k = {p0:Array(UInt64)} */',
  'SELECT 1 FROM t -- only k = {p0:String}',
])('%s may read any', (sql) => {
  expect(onlyRows(sql, 't', 'k')).toBeUndefined()
})

test('without a read key any row may matter', () => {
  expect(onlyRows(`SELECT 1 FROM t ${said}`, 't', undefined)).toBeUndefined()
})

test.each([
  ["['a']", ['a']],
  ["['a','b,c','[',' ']", ['a', 'b,c', '[', ' ']],
  ["['']", ['']],
  ["['a\\'b']", undefined],
  ["['a', 'b']", undefined],
  ['[]', undefined],
  ['a', undefined],
  [undefined, undefined],
])('of the list %s the keys are %j', (text, keys) => {
  const parameters = onlyRows('SELECT 1 FROM t /* only k = {p0:Array(String)} */', 't', 'k')
  expect(parameters).toEqual([{ name: 'p0', isList: true }])
  expect(keysIn(parameters!, text === undefined ? [] : [['p0', text]])).toEqual(keys)
})
