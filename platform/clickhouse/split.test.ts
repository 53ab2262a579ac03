import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitStatements } from './split.js'

describe('a file is split', () => {
  it.each([
    ['at semicolons', 'SELECT 1; SELECT 2;', ['SELECT 1', 'SELECT 2']],
    ['also without a last one', 'SELECT 1', ['SELECT 1']],
    ['into nothing if there is nothing', ' ; -- only words\n;', []],
    [
      'not inside strings',
      `SELECT 'a;b', 'it''s;', 'it\\'s;'; SELECT 2`,
      [`SELECT 'a;b', 'it''s;', 'it\\'s;'`, 'SELECT 2'],
    ],
    ['not inside quoted names', 'SELECT `a;b`, "c;d"', ['SELECT `a;b`, "c;d"']],
    ['not inside heredocs', 'SELECT $x$a;$$b$x$; SELECT $$;$$', ['SELECT $x$a;$$b$x$', 'SELECT $$;$$']],
    ['without comments', 'SELECT 1 -- one; two\n, 2 /* ; */ # three;\n', ['SELECT 1\n, 2']],
    ['with what only looks like a comment', `SELECT '--', '/*', "#"`, [`SELECT '--', '/*', "#"`]],
    ['with apostrophes in comments', `-- don't\nSELECT 1; /* can't */ SELECT 2`, ['SELECT 1', 'SELECT 2']],
  ])('%s', (_, text, statements) => {
    expect(splitStatements(text)).toEqual(statements)
  })

  it.each(["SELECT 'a; SELECT 2", 'SELECT `a', 'SELECT 1 /* a', 'SELECT $x$ a $y$'])(
    'but not if it breaks off: %s',
    (text) => {
      expect(() => splitStatements(text)).toThrow('line 1 is never closed')
    },
  )

  it('into the statements it was joined from', () => {
    const literal = fc.string({ unit: fc.constantFrom(...'ab;\'`"-/*#$ \n\\') }).map((text) => {
      return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    })
    const statement = fc
      .array(literal, { minLength: 1, maxLength: 4 })
      .map((literals) => `SELECT ${literals.join(', ')}`)
    fc.assert(
      fc.property(fc.array(statement), (statements) => {
        expect(splitStatements(statements.join(';\n-- it\n'))).toEqual(
          statements.map((one) => one.replaceAll(/[ \t]+$/gm, '')),
        )
      }),
    )
  })
})
