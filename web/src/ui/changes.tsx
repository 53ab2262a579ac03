/** What differs between two values, member by member and line by line. */
import './changes.css'
import { type Change, linesOf } from './diff'

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

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

export const SIGNS = { same: ' ', added: '+', removed: '−' } as const

export function Lines({ before, after }: { before: string | undefined; after: string | undefined }) {
  const lines =
    before === undefined || after === undefined
      ? (before ?? after ?? '')
          .split('\n')
          .map((text) => ({ kind: before === undefined ? ('added' as const) : ('removed' as const), text }))
      : linesOf(before, after)
  return (
    <pre className="changes-lines">
      {lines.map(({ kind, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <span key={i} className={`changes-line ${kind}`}>
          {SIGNS[kind]} {text}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
