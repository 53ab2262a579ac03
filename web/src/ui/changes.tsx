/** What differs between two values, member by member and line by line. */
import './changes.css'
import { type Change, type Line, linesOf } from './diff'
import { indented } from './parsed'

export function Changed({ change: { path, kind, before, after } }: { change: Change }) {
  return (
    <div className="panel changes-part">
      <h3>
        <code>{path || 'the value'}</code> {kind}
      </h3>
      <Lines
        before={kind === 'added' ? undefined : shown(before)}
        after={kind === 'removed' ? undefined : shown(after)}
      />
    </div>
  )
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : indented(value))

export const SIGNS = { same: ' ', added: '+', removed: '−' } as const

/** Of more lines, the first are shown. */
const SHOWN_LINES = 5_000

export function Lines({ before, after }: { before: string | undefined; after: string | undefined }) {
  const lines =
    before === undefined || after === undefined
      ? (before ?? after ?? '').split('\n').map((text): Line => {
          const kind = before === undefined ? 'added' : 'removed'
          return { kind, words: [{ text, isChanged: false }] }
        })
      : linesOf(before, after)
  return (
    <>
      <LineList lines={lines.slice(0, SHOWN_LINES)} />
      {lines.length > SHOWN_LINES && <p className="muted">{lines.length - SHOWN_LINES} more lines</p>}
    </>
  )
}

/** Lines with their signs, and what changed within them marked. */
export function LineList({ lines }: { lines: readonly Line[] }) {
  return (
    <pre className="changes-lines">
      {lines.map(({ kind, words }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <span key={i} className={`changes-line ${kind}`}>
          {SIGNS[kind]}{' '}
          {words.map(({ text, isChanged }, j) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
            isChanged ? <mark key={j}>{text}</mark> : text,
          )}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
