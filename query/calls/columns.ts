/** Which columns of a call a request wants. Knows names alone. */

import { pathSegments } from '../../common/calls/leaves.js'
import { canonicalName } from '../../common/contract/aliases.js'
import { errors } from '../../common/errors/catalog.js'

/** Columns that always come. */
const ALWAYS = ['id', 'trace_id', 'project_id', 'op_name', 'started_at'] as const

/** Everything else, by canonical name. */
const CHOICE = [
  'display_name',
  'parent_id',
  'thread_id',
  'turn_id',
  'ended_at',
  'exception',
  'inputs',
  'output',
  'attributes',
  'summary',
  'platform_user_id',
  'platform_username',
  'platform_run_id',
  'platform_run_step',
  'platform_run_step_end',
  'deleted_at',
  'expire_at',
  'storage_size_bytes',
  'total_storage_size_bytes',
] as const
export type Column = (typeof ALWAYS)[number] | (typeof CHOICE)[number]

const KNOWN = new Set<string>([...ALWAYS, ...CHOICE])

/**
 * The columns that `asked` selects: a dotted path selects its column whole, `summary` brings what its status is made of.
 * Null selects all.
 * @throws 422 for a column that there is not
 */
export function chosenColumns(asked: readonly string[] | null): ReadonlySet<Column> {
  if (!asked || asked.length === 0) return new Set([...ALWAYS, ...CHOICE])
  const chosen = new Set<Column>(ALWAYS)
  for (const name of asked) {
    const column = canonicalName(pathSegments(name)[0] ?? '')
    // What hangs on a call comes inside its summary.
    if (column === 'feedback' || column === 'costs') chosen.add('summary')
    else if (isColumn(column)) chosen.add(column)
    else throw errors.badField(name.slice(0, 200))
  }
  if (chosen.has('summary')) for (const name of SUMMARY_NEEDS) chosen.add(name)
  return chosen
}

const SUMMARY_NEEDS = ['ended_at', 'exception', 'display_name'] as const

function isColumn(name: string): name is Column {
  return KNOWN.has(name)
}
