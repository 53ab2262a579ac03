/** The words of code by kind. Lezer's parsers read it; none of them is a regular expression that could run away. */
import { classHighlighter, highlightCode } from '@lezer/highlight'
import { parser as javascript } from '@lezer/javascript'
import { parser as json } from '@lezer/json'
import { parser as python } from '@lezer/python'
import type { ParserName, Piece } from './code'

/** Code that is none can take the square of its length: it stays in one colour then. */
const MOST_MS = 50

const PARSERS = {
  javascript: javascript.configure({ dialect: 'jsx' }),
  typescript: javascript.configure({ dialect: 'ts jsx' }),
  json,
  python,
}

/** The pieces of `text`, which together are it; undefined if it takes too long. */
export function piecesOf(text: string, parser: ParserName): Piece[] | undefined {
  try {
    const parse = PARSERS[parser].startParse(text)
    const until = performance.now() + MOST_MS
    let tree = parse.advance()
    while (tree === null) {
      if (performance.now() > until) return undefined
      tree = parse.advance()
    }
    const pieces: Piece[] = []
    highlightCode(
      text,
      tree,
      classHighlighter,
      (piece, kind) => pieces.push({ text: piece, kind }),
      () => pieces.push({ text: '\n', kind: '' }),
    )
    return pieces
  } catch (error) {
    // A tree that is too deep for the stack.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
