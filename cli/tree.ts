/** A trace as a tree of text. */
import { table } from './table.js'

export interface TreeCall {
  id: string
  parent_id: string | null
  op_name: string
  started_at: string
  ended_at: string | null
  exception: string | null
}

/**
 * A line per call: its name below its parent's, its duration and error. At least one call.
 * @param marked the id of a call that gets an arrow
 */
export function tree(calls: readonly TreeCall[], marked?: string): string {
  const ids = new Set(calls.map(({ id }) => id))
  const roots = calls.filter(({ parent_id: parent }) => parent === null || !ids.has(parent))
  const rows = roots.flatMap((root) => below(root, calls, marked, '', ''))
  const width = Math.max(...rows.map(([, time]) => time!.length))
  return table(rows.map(([name, time, error]) => [name!, time!.padStart(width), error!]))
}

/** @param lead the text before its name @param next the text before its children */
function below(
  call: TreeCall,
  calls: readonly TreeCall[],
  marked: string | undefined,
  lead: string,
  next: string,
): string[][] {
  const children = calls
    .filter(({ parent_id: parent }) => parent === call.id)
    .sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at))
  return [
    [lead + call.op_name + (call.id === marked ? ' ←' : ''), duration(call), call.exception ?? ''],
    ...children.flatMap((child, i) => {
      const last = i === children.length - 1
      return below(child, calls, marked, `${next}${last ? '└ ' : '├ '}`, `${next}${last ? '  ' : '│ '}`)
    }),
  ]
}

/** `1,840 ms`. */
export function duration({ started_at: from, ended_at: to }: TreeCall): string {
  return to === null ? 'running' : `${(Date.parse(to) - Date.parse(from)).toLocaleString('en-US')} ms`
}
