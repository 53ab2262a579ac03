import { expect, test } from 'vitest'
import { onlyRows } from './only-rows.js'

const said = '/* only k = {p0:String} */'
const other = '/*only k={ p1 : String }*/'

test.each([
  [`SELECT 1 FROM t ${said} WHERE k = {p0:String}`, ['p0']],
  [`SELECT 1 FROM db.t${said} UNION ALL SELECT 2 FROM t ${other}`, ['p0', 'p1']],
  [`SELECT 1 FROM t ${said}, t_of_others, at`, ['p0']],
])('%s reads some rows', (sql, parameters) => {
  expect(onlyRows(sql, 't', 'k')).toEqual(parameters)
})

test.each([
  'SELECT 1 FROM t',
  `SELECT 1 FROM t ${said} UNION ALL SELECT 2 FROM t`,
  `SELECT t.k FROM t ${said}`,
  `SELECT 1 FROM t AS x ${said}`,
  'SELECT 1 FROM t /* only v = {p0:String} */',
  'SELECT 1 FROM t /* only k = {p0:Array(String)} */',
  'SELECT 1 FROM t -- only k = {p0:String}',
])('%s may read any', (sql) => {
  expect(onlyRows(sql, 't', 'k')).toBeUndefined()
})

test('without a read key any row may matter', () => {
  expect(onlyRows(`SELECT 1 FROM t ${said}`, 't', undefined)).toBeUndefined()
})
