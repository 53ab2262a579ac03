/**
 * Cuts SQL into tokens, as the engine's lexer does, as far as needed to find clauses of a statement. It
 * decides nothing about safety: what is run is counted by the engine's own parser.
 */

export type Token = {
  /** `word` is upper-cased in `text`; `quoted` is any string, quoted name or heredoc. */
  type: 'word' | 'quoted' | 'mark'
  text: string
  start: number
  end: number
  /** How many brackets are open before it. */
  depth: number
}

const wordStart = /[A-Za-z_\u0080-\uffff]/
const wordPart = /[A-Za-z0-9_\u0080-\uffff]/
const space = /\s/

/** Yields the tokens of `sql` from `from` on; comments and spaces are left out. */
export function* tokens(sql: string, from = 0): Generator<Token, void, undefined> {
  let at = from
  let depth = 0
  while (at < sql.length) {
    const start = at
    const char = sql[at]!
    if (space.test(char)) {
      at++
    } else if (isLineComment(sql, at)) {
      const end = sql.indexOf('\n', at)
      at = end < 0 ? sql.length : end + 1
    } else if (char === '/' && sql[at + 1] === '*') {
      const end = sql.indexOf('*/', at + 2)
      at = end < 0 ? sql.length : end + 2
    } else if (char === "'" || char === '"' || char === '`') {
      at = endOfQuoted(sql, at, char)
      yield { type: 'quoted', text: sql.slice(start, at), start, end: at, depth }
    } else if (char === '$' && heredocTag(sql, at) !== undefined) {
      const tag = heredocTag(sql, at)!
      const end = sql.indexOf(tag, at + tag.length)
      at = end < 0 ? sql.length : end + tag.length
      yield { type: 'quoted', text: sql.slice(start, at), start, end: at, depth }
    } else if (wordStart.test(char)) {
      while (at < sql.length && wordPart.test(sql[at]!)) at++
      yield { type: 'word', text: sql.slice(start, at).toUpperCase(), start, end: at, depth }
    } else {
      at++
      if (')]}'.includes(char)) depth = Math.max(0, depth - 1)
      yield { type: 'mark', text: char, start, end: at, depth }
      if ('([{'.includes(char)) depth++
    }
  }
}

function isLineComment(sql: string, at: number): boolean {
  const two = sql.slice(at, at + 2)
  return two === '--' || two === '#!' || two === '# '
}

function endOfQuoted(sql: string, start: number, quote: string): number {
  let at = start + 1
  while (at < sql.length) {
    if (sql[at] === '\\') at += 2
    else if (sql[at] !== quote) at++
    else if (sql[at + 1] === quote) at += 2
    else return at + 1
  }
  return sql.length
}

function heredocTag(sql: string, at: number): string | undefined {
  return /^\$\w*\$/.exec(sql.slice(at, at + 80))?.[0]
}
