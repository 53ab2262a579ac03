/** Masks rows on their way into a table. Pure, and the same in a thread and in the main one. */
import { isUtf8 } from 'node:buffer'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { textsOf } from './columns.js'
import { type Counts, counter } from './counts.js'
import type { Count, RuleSet } from './rule-set.js'
import type { RulesByScope } from './rules-by-scope.js'
import { rulesOf, type Snapshot } from './snapshot.js'

/** Whose rules hold for a row: those of a project, or of these scopes. */
export type Place = { project: string } | { projectId: string } | { scopes: readonly string[] }

export interface MaskTask {
  snapshot: Snapshot
  table: string
  rows: readonly object[]
  /** of each row */
  places: readonly Place[]
}

export interface Masked {
  rows: object[]
  counts: [string, number][]
}

/** The set that holds at a place. */
function setAt(rules: RulesByScope, place: Place): RuleSet {
  if ('project' in place) return rules.of(place.project)
  return 'projectId' in place ? rules.ofUnknown(place.projectId) : rules.ofScopes([...place.scopes, '*'])
}

/** What its counts are under. */
const nameOf = (place: Place): string =>
  'project' in place ? place.project : 'projectId' in place ? place.projectId : ''

/** The rows as they are to be stored; those where nothing changes are the same. */
export function maskRows({ snapshot, table, rows, places }: MaskTask): Masked {
  const rules = rulesOf(snapshot)
  const { texts, isDropped } = textsOf(table)
  const counts: Counts = new Map()
  const masked = rows.flatMap((row, i) => {
    const set = setAt(rules, places[i]!)
    if (set.isEmpty) return [row]
    if (isDropped) return []
    return [maskRow(row, texts, set, counter(counts, nameOf(places[i]!), set))]
  })
  return { rows: masked, counts: [...counts] }
}

function maskRow(row: object, columns: readonly string[], set: RuleSet, count: Count): object {
  let changed: Record<string, unknown> | undefined
  for (const column of columns) {
    const value = (row as Record<string, unknown>)[column]
    const masked = maskValue(value, column, set, count)
    if (masked !== value) changed = { ...(changed ?? row), [column]: masked }
  }
  return changed ?? row
}

/** Texts and bytes of text; what is none stays, such as pictures. */
function maskValue(value: unknown, column: string, set: RuleSet, count: Count): unknown {
  if (typeof value === 'string') return set.value(value, [column], count)
  if (!(value instanceof Uint8Array)) return value
  if (value.length === 0 || !isText(value)) return value
  const text = bufferOf(value).toString('utf8')
  const masked = set.value(text, [column], count)
  return masked === text ? value : Buffer.from(masked)
}

/** UTF-8 without the byte 0, which files of text don't have. */
function isText(bytes: Uint8Array): boolean {
  return bytes.indexOf(0) < 0 && isUtf8(bytes)
}
