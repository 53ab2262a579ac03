/**
 * Which rows of a batch need a second step: halves that may have a counterpart, and calls that may be stored already.
 * All others, nearly all, are new for certain and done once they are stored. Pure but for the memory of recent ids.
 */
import { numberOf, stringsOf } from '../../domain/calls/block-reader.js'
import { ROW } from '../calls/row-keys.js'
import type { CallChange, CallChangeKind } from '../merge/call-change.js'
import type { Rows } from '../threads/task.js'
import type { RecentIds } from './recent-ids.js'

/** Clocks of clients may be off by this much, in ms. */
const SKEW = 30_000

/** A change and the index of the request it came from. */
export interface Duplicate {
  readonly change: CallChange
  readonly request: number
  /** false: nothing of the call was written lately, but it is older than that */
  readonly known: boolean
}

/**
 * Notes all ids of `rows` as seen, and returns what has to be looked at. Versions must be stamped already.
 * @param now ms since the epoch
 */
export function duplicatesOf(rows: Rows, recent: RecentIds, now: number = Date.now()): Duplicate[] {
  const { kinds, hashes, born, requests } = rows
  const certain = recent.since + SKEW
  const doubtful: number[] = []
  const known = new Set<number>()
  for (let row = 0; row < rows.rows; row++) {
    const [hash, print] = [hashes[row * 2]!, hashes[row * 2 + 1]!]
    const isKnown = recent.add(hash, print)
    if (isKnown) known.add(row)
    // A clock that is ahead says nothing of when the id was written first.
    const isAhead = born[row]! > now + SKEW
    if (isAhead) recent.keepUntil(born[row]!, hash, print)
    if (isKnown || isAhead || born[row]! < certain || kinds[row] === ROW.end) doubtful.push(row)
  }
  if (doubtful.length === 0) return []
  const projectIds = stringsOf(rows, 'project_id', doubtful)
  const ids = stringsOf(rows, 'id', doubtful)
  const traceIds = stringsOf(rows, 'trace_id', doubtful)
  return doubtful.map((row, i) => ({
    request: requests[row]!,
    known: known.has(row),
    change: {
      kind: kindOf(kinds[row]!),
      projectId: projectIds[i]!,
      id: ids[i]!,
      traceId: traceIds[i]!,
      startedAt: numberOf(rows, 'started_at', row),
      ver: numberOf(rows, 'ver', row),
    },
  }))
}

function kindOf(kind: number): CallChangeKind {
  if (kind === ROW.span) return 'span'
  if (kind === ROW.log) return 'log'
  if (kind === ROW.start) return 'start'
  return kind === ROW.end ? 'end' : 'whole'
}
