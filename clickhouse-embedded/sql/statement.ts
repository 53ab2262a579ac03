/**
 * What kind of statement a text holds: where its result goes, and for an INSERT with data where the data
 * begins, so that the data can be taken out of the text.
 */
import { type Token, tokens } from './tokens.js'

/** An INSERT whose rows come as data; `sqlWith` builds the statement that reads them from a file. */
export type DataInsert = {
  kind: 'data-insert'
  /** Format of the data. */
  format: string
  /** Offset of the first byte of data in the text; its length where there is none. */
  dataStart: number
  /** The statement up to where the data begins, without its FORMAT or VALUES. */
  head: string
  settings: string
  /** The text says VALUES, not FORMAT. */
  saysValues: boolean
}

export type Statement =
  | DataInsert
  /** `format` is what a FORMAT clause names, else undefined. */
  | { kind: 'select' | 'show' | 'insert' | 'insert-select' | 'other'; format: string | undefined }
  | { kind: 'refused'; reason: string }

const selects = new Set(['SELECT', 'WITH', 'FROM', '('])
const shows = new Set(['SHOW', 'DESCRIBE', 'DESC', 'EXISTS', 'EXPLAIN', 'CHECK'])

/** Reads the beginning of `sql` and tells what it is. Total: an unparsable text is `other`. */
export function readStatement(sql: string): Statement {
  const first = tokens(sql).next().value
  if (!first) return { kind: 'other', format: undefined }
  if (first.text === 'INSERT') return readInsert(sql)
  return readQuery(sql, first.text)
}

function readQuery(sql: string, first: string): Statement {
  let format: string | undefined
  let settled = false
  let before: Token | undefined
  for (const token of tokens(sql)) {
    if (token.text === 'OUTFILE' && before?.text === 'INTO') return refused('INTO OUTFILE')
    // In another dialect a text would be cut into statements in other places.
    if (token.text === 'DIALECT' && first === 'SET') return refused('SET dialect')
    if (token.depth === 0 && !settled) {
      // Only SETTINGS may follow a FORMAT clause; anything else, and it was a column of that name.
      if (format !== undefined && (token.text === 'SETTINGS' || token.text === ';')) settled = true
      else if (before?.text === 'FORMAT' && token.type === 'word') format = sql.slice(token.start, token.end)
      else format = undefined
    }
    before = token
  }
  return { kind: selects.has(first) ? 'select' : shows.has(first) ? 'show' : 'other', format }
}

function readInsert(sql: string): Statement {
  const list = tokens(sql)
  let insertAt: number | undefined
  let before: Token | undefined
  let named = false
  for (const token of list) {
    if (token.depth === 0 && token.type === 'word') {
      if (token.text === 'INFILE' && before?.text === 'FROM') return refused('FROM INFILE')
      const afterName = named && before?.text !== '.'
      if (afterName && (token.text === 'SELECT' || token.text === 'WITH')) {
        return { kind: 'insert-select', format: undefined }
      }
      if (afterName && token.text === 'SETTINGS') insertAt ??= token.start
      if (afterName && token.text === 'VALUES') {
        return dataInsert(sql, insertAt ?? token.start, token.start, 'Values', token.end, true)
      }
      if (afterName && token.text === 'FORMAT') {
        const name = list.next().value
        if (name?.type !== 'word') return { kind: 'other', format: undefined }
        const format = sql.slice(name.start, name.end)
        const start = format.toUpperCase() === 'VALUES' ? name.end : dataStart(sql, name.end)
        return dataInsert(sql, insertAt ?? token.start, token.start, format, start, false)
      }
      // The first name after INSERT INTO TABLE FUNCTION is the target, whatever it is called.
      if (!named && !['INSERT', 'INTO', 'TABLE', 'FUNCTION'].includes(token.text)) named = true
    } else if (token.depth === 0 && token.type === 'quoted') {
      named = true
    } else if (token.text === '{' || (token.text === '(' && !named)) {
      named = true
    } else if (token.text === 'SELECT' && before?.text === '(' && token.depth === 1) {
      return { kind: 'insert-select', format: undefined }
    } else if (token.text === ';' && token.depth === 0) {
      return { kind: 'insert-select', format: undefined }
    }
    before = token
  }
  return dataInsert(sql, insertAt ?? sql.length, sql.length, 'Values', sql.length, true)
}

function dataInsert(
  sql: string,
  headEnd: number,
  settingsEnd: number,
  format: string,
  start: number,
  saysValues: boolean,
): DataInsert {
  return {
    kind: 'data-insert',
    format,
    dataStart: start,
    head: sql.slice(0, headEnd),
    settings: sql.slice(headEnd, settingsEnd),
    saysValues,
  }
}

/** Data begins after the line end that follows the format's name, else after the blanks. */
function dataStart(sql: string, from: number): number {
  let at = from
  while (sql[at] === ' ' || sql[at] === '\t' || sql[at] === '\f') at++
  if (sql[at] === '\r') at++
  if (sql[at] === '\n') at++
  return at
}

function refused(clause: string): Statement {
  return { kind: 'refused', reason: `${clause} is not allowed in a query sent over HTTP` }
}

/** The statement that reads the rows of `insert` from `fileLiteral` (a quoted SQL string). */
export function insertFromFile(insert: DataInsert, fileLiteral: string, compression: string): string {
  return `${insert.head}\nFROM INFILE ${fileLiteral} COMPRESSION '${compression}'\n${insert.settings}\nFORMAT ${insert.format}`
}
