/** Determines the columns that a request selects. Knows only names. */

import { canonicalName } from '../../../contract/aliases.js'
import { errors } from '../../../platform/errors/catalog.js'
import { pathSegments } from '../leaves.js'
import { CALL_COLUMNS, type CallColumnSpec, type CallField } from '../schema.js'

/** Fields of a line that are not columns of a call. */
const BESIDES = ['deleted_at', 'storage_size_bytes', 'total_storage_size_bytes', 'platform_username'] as const

/** One that is only there where it is asked for: it takes time, and clients of other services don't know it. */
const SPAN_NAME = 'span_name'

/** Everything a request can select, by canonical name. */
export type Column = CallField | (typeof BESIDES)[number] | typeof SPAN_NAME

const fieldsOf = (columns: readonly CallColumnSpec[]) => columns.flatMap(({ field }) => field ?? [])

/** Fields that are never unset are always included. */
const ALWAYS: readonly Column[] = fieldsOf(
  CALL_COLUMNS.filter(({ kind }) => kind === 'text' || kind === 'time'),
)
const ALL = new Set<Column>([...fieldsOf(CALL_COLUMNS), ...BESIDES])

/**
 * The columns that `asked` selects: a dotted path selects its whole column, `summary` also selects what its status
 * derives from. Null selects all.
 * @throws 422 for an unknown column
 */
export function chosenColumns(asked: readonly string[] | null): ReadonlySet<Column> {
  if (!asked || asked.length === 0) return ALL
  const chosen = new Set<Column>(ALWAYS)
  for (const name of asked) {
    const column = canonicalName(pathSegments(name)[0] ?? '')
    // Feedback and costs are part of the summary.
    if (column === 'feedback' || column === 'costs') chosen.add('summary')
    else if (isColumn(column)) chosen.add(column)
    else throw errors.badField(name.slice(0, 200))
  }
  if (chosen.has('summary')) for (const name of SUMMARY_NEEDS) chosen.add(name)
  return chosen
}

const SUMMARY_NEEDS = ['ended_at', 'exception', 'display_name'] as const

function isColumn(name: string): name is Column {
  return ALL.has(name as Column) || name === SPAN_NAME
}
