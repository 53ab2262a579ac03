/**
 * Cuts a statement into tokens. Comments are dropped; names and texts are decoded, so that they can be written again in
 * one way. Refuses what this language has no use for. Pure.
 */
import { sqlErrors } from './errors.js'

export interface Token {
  /** `word`: bare; `name`: quoted; `param`: `{name:Type}` */
  kind: 'word' | 'name' | 'text' | 'number' | 'sign' | 'param'
  /** decoded */
  text: string
  /** of a `param` */
  type?: string
  /** offset in the statement */
  at: number
}

const BLANK = /[ \t\r\n\f\v]+|(?:--|#!|# )[^\n]*|\/\*[\s\S]*?\*\//y
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y
const NUMBER = /(?:0x[0-9a-fA-F]+|0b[01]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)/y
/** Of an element of a tuple, `t.1.2`. */
const PLACE = /\d+/y
const PARAM = /\{\s*([A-Za-z_]\w*)\s*:\s*([A-Za-z]\w*(?:\(\s*\w+\s*\))?)\s*\}/y
const SIGN = /<=>|<>|[!<>=]=|\|\||->|::|[-+*/%(),.:;?=<>[\]]/y
const QUOTED = /(['"`])((?:(?!\1)[^\\]|\\[\s\S]|\1\1)*)\1/y

/** @throws SQL_SYNTAX, SQL_FORBIDDEN */
export function tokensOf(sql: string): Token[] {
  const found: Token[] = []
  const take = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at
    return pattern.exec(sql)
  }
  for (let at = 0; at < sql.length; ) {
    const blank = take(BLANK, at)
    if (blank) {
      at += blank[0].length
      continue
    }
    // Signs of their own they would be, and each would be looked for to the end.
    if (sql.startsWith('/*', at)) throw sqlErrors.syntax(sql, at, 'this comment is never closed')
    const before = found.at(-1)
    const isPlace = before?.kind === 'sign' && before.text === '.'
    const add = (kind: Token['kind'], match: RegExpExecArray, text = match[0], type?: string) => {
      found.push({ kind, text, at, ...(type !== undefined && { type }) })
      at += match[0].length
    }
    const word = take(WORD, at)
    // After a value a dot leads to a part of it.
    const isAfterValue = before && (before.kind !== 'sign' || ')]'.includes(before.text))
    const number = isPlace ? take(PLACE, at) : sql[at] === '.' && isAfterValue ? null : take(NUMBER, at)
    const quoted = take(QUOTED, at)
    const param = take(PARAM, at)
    if (word) add('word', word)
    else if (number) {
      if (take(WORD, at + number[0].length))
        throw sqlErrors.syntax(sql, at, 'this is neither a number nor a name')
      add('number', number)
    } else if (quoted) add(quoted[1] === "'" ? 'text' : 'name', quoted, decoded(quoted[2]!, quoted[1]!))
    else if (param) add('param', param, param[1], param[2]!.replaceAll(/\s/g, ''))
    else {
      const sign = take(SIGN, at)
      if (!sign) throw sqlErrors.syntax(sql, at, unreadable(sql, at))
      add('sign', sign)
    }
  }
  while (found.at(-1)?.text === ';' && found.at(-1)?.kind === 'sign') found.pop()
  return found
}

function unreadable(sql: string, at: number): string {
  const char = sql[at]!
  if (`'"\``.includes(char)) return `this ${char} is never closed`
  if (char === '$') return "write texts in '…', not in $…$"
  return `${JSON.stringify(String.fromCodePoint(sql.codePointAt(at)!))} means nothing here`
}

const ESCAPES: Record<string, string> = {
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', a: '\x07', e: '\x1b', 0: '\0' },
  ...{ '\\': '\\', "'": "'", '"': '"', '`': '`', '/': '/', '=': '=' },
}

/** As ClickHouse reads escapes; an unknown one keeps its backslash. */
function decoded(text: string, quote: string): string {
  return text.replaceAll(
    /\\x([0-9a-fA-F]{2})|\\([\s\S])|(['"`])\3/g,
    (all, byte: string | undefined, escaped: string | undefined, doubled: string | undefined) => {
      if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16))
      if (escaped !== undefined) return ESCAPES[escaped] ?? all
      return doubled === quote ? quote : all
    },
  )
}
