import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { insertFromFile, readStatement } from './statement.js'

/** What is left of an INSERT's text once its data is taken out. */
function split(sql: string): { from: string; data: string } | string {
  const statement = readStatement(sql)
  if (statement.kind !== 'data-insert') return statement.kind
  return {
    from: insertFromFile(statement, "'f'", 'none').replace(/\s+/g, ' '),
    data: sql.slice(statement.dataStart),
  }
}

describe('an INSERT is parted from its data', () => {
  const into = (head: string, tail: string) => `${head} FROM INFILE 'f' COMPRESSION 'none' ${tail}`
  test.each([
    ['INSERT INTO t FORMAT Native', into('INSERT INTO t', 'FORMAT Native'), ''],
    [
      'INSERT INTO t (a, b) FORMAT CSV\n1,2\n\nDROP TABLE t',
      into('INSERT INTO t (a, b)', 'FORMAT CSV'),
      '1,2\n\nDROP TABLE t',
    ],
    ['INSERT INTO t FORMAT CSV 1,2', into('INSERT INTO t', 'FORMAT CSV'), '1,2'],
    ['INSERT INTO t FORMAT JSONEachRow\r\n{}', into('INSERT INTO t', 'FORMAT JSONEachRow'), '{}'],
    [
      "insert into t settings a=1, b='x' format tsv\n",
      into('insert into t', "settings a=1, b='x' FORMAT tsv"),
      '',
    ],
    [
      'INSERT INTO t SETTINGS a = 1 VALUES (1)',
      into('INSERT INTO t', 'SETTINGS a = 1 FORMAT Values'),
      ' (1)',
    ],
    ['INSERT INTO t VALUES', into('INSERT INTO t', 'FORMAT Values'), ''],
    ['INSERT INTO t', into('INSERT INTO t', 'FORMAT Values'), ''],
    ['INSERT INTO values VALUES (1)', into('INSERT INTO values', 'FORMAT Values'), ' (1)'],
    ['INSERT INTO db.format FORMAT X', into('INSERT INTO db.format', 'FORMAT X'), ''],
    ['INSERT INTO db.values (a) FORMAT X', into('INSERT INTO db.values (a)', 'FORMAT X'), ''],
    [
      "INSERT INTO TABLE FUNCTION file('x') FORMAT X",
      into("INSERT INTO TABLE FUNCTION file('x')", 'FORMAT X'),
      '',
    ],
    ['INSERT INTO {t:Identifier} FORMAT X', into('INSERT INTO {t:Identifier}', 'FORMAT X'), ''],
    ['INSERT INTO `FORMAT a; ` FORMAT X', into('INSERT INTO `FORMAT a; `', 'FORMAT X'), ''],
    [
      '/* FORMAT A */ INSERT -- VALUES\n INTO t # x\n FORMAT X',
      into('/* FORMAT A */ INSERT -- VALUES INTO t # x', 'FORMAT X'),
      '',
    ],
  ])('%j', (sql, from, data) => {
    expect(split(sql)).toEqual({ from, data })
  })

  test.each([
    ['INSERT INTO t SELECT 1', 'insert-select'],
    ['INSERT INTO t (a) WITH 1 AS x SELECT x FORMAT JSON', 'insert-select'],
    ['INSERT INTO t (SELECT 1)', 'insert-select'],
    ["INSERT INTO t FROM INFILE '/etc/passwd' FORMAT CSV", 'refused'],
    ["SELECT 1 INTO OUTFILE 'x'", 'refused'],
    ["SET dialect = 'kusto'", 'refused'],
    ["SELECT 'INTO OUTFILE'", 'select'],
    ['(SELECT 1)', 'select'],
    ['from t select a', 'select'],
    ['EXPLAIN SELECT 1', 'show'],
    ['DROP TABLE t', 'other'],
    ['-- nothing', 'other'],
    ['', 'other'],
  ])('%j is %s', (sql, kind) => {
    expect(split(sql)).toBe(kind)
  })
})

describe('the format of a result', () => {
  test.each([
    ['SELECT 1 FORMAT JSON', 'JSON'],
    ['SELECT 1 format CSV settings max_threads=1', 'CSV'],
    ['SELECT 1 SETTINGS max_threads=1 FORMAT CSV;', 'CSV'],
    ['SELECT format FROM t', undefined],
    ["SELECT format('{}', x) FROM t", undefined],
    ["SELECT 'FORMAT JSON'", undefined],
    ['SELECT 1 -- FORMAT JSON', undefined],
    ['SELECT (SELECT 1) FORMAT TSV', 'TSV'],
  ])('%j names %j', (sql, format) => {
    expect(readStatement(sql)).toMatchObject({ format })
  })
})

test('any text is read without an error or a hang', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'INSERT',
      ' INTO ',
      'FORMAT ',
      'VALUES',
      "'",
      '"',
      '`',
      '$a$',
      '--',
      '/*',
      '*/',
      '#!',
      ';',
      '(',
      ')',
      '\\',
      '\n\n',
      'SETTINGS',
    ),
    fc.string({ maxLength: 6 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const sql = pieces.join('')
      const statement = readStatement(sql)
      if (statement.kind === 'data-insert') expect(statement.dataStart).toBeLessThanOrEqual(sql.length)
    }),
  )
})
