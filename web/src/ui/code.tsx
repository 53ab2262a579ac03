/** Code with its language's words in colours. What finds them is loaded with the first code in a language that it knows. */
import { memo, Suspense, use } from 'react'
import { loaded } from '../app/connection'
import { Copy } from './copy'
import './code.css'

/** Longer code is shown in one colour. */
const MOST = 20_000

/** A piece of code of one kind: `tok-keyword`, `tok-string`…; empty: none. */
export interface Piece {
  text: string
  kind: string
}

export type ParserName = 'javascript' | 'typescript' | 'json' | 'python'

/** What highlights a language, by the names that texts give it. */
const PARSER_OF = new Map<string, ParserName>([
  ...['py', 'python', 'python3'].map((name) => [name, 'python'] as const),
  ...['js', 'javascript', 'jsx'].map((name) => [name, 'javascript'] as const),
  ...['ts', 'typescript', 'tsx'].map((name) => [name, 'typescript'] as const),
  ['json', 'json'],
])

type Pieces = (text: string, parser: ParserName) => Piece[] | undefined

let highlighter: Promise<Pieces> | undefined

/** @param language as after the fence of markdown; empty: unknown */
export const Code = memo(function Code({ text, language }: { text: string; language: string }) {
  const parser = PARSER_OF.get(language.split(/\W/, 1)[0]!.toLowerCase())
  return (
    <div className="snippet">
      <pre>
        <code>
          {parser !== undefined && text.length <= MOST ? (
            <Suspense fallback={text}>
              <Highlighted text={text} parser={parser} />
            </Suspense>
          ) : (
            text
          )}
        </code>
      </pre>
      <Copy text={text} />
    </div>
  )
})

function Highlighted({ text, parser }: { text: string; parser: ParserName }) {
  highlighter ??= loaded(() => import('./highlight')).then(({ piecesOf }) => piecesOf)
  const pieces = use(highlighter)(text, parser)
  if (pieces === undefined) return text
  return pieces.map(({ text: piece, kind }, i) =>
    kind === '' ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
      <span key={i} className={kind}>
        {piece}
      </span>
    ),
  )
}
