/** What rules would do: tries them on the newest calls of a project. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'
import type { maskingPreview } from '../../contract/masking.js'
import { visible } from '../../domain/calls/read/visible.js'
import { COLUMNS } from '../../domain/masking/columns.js'
import type { Masks } from '../../domain/masking/masks.js'
import { RuleSet } from '../../domain/masking/rule-set.js'
import { bind, commaList, ident, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'

type Wanted = z.output<NonNullable<typeof maskingPreview.body>>
type Found = z.output<typeof maskingPreview.answer>

/** Of a longer text only the start is tried. */
const LONGEST = 100_000
const MOST_EXAMPLES = 20
/** Characters that an example shows before the first difference, and in all. */
const BEFORE = 40
const SHOWN = 160

/** Texts of calls; the end user, and what a span has of them otherwise, is the same. */
const FIELDS = COLUMNS.calls.texts.filter((name) => !/^(otel_|end_user$)/.test(name))

export async function previewed(
  store: Store,
  masks: Masks,
  { project_id: project, rules, calls }: Wanted,
  options: StatementOptions,
): Promise<Found> {
  const set =
    rules === null
      ? masks.current.of(project)
      : new RuleSet(rules.map((rule) => ({ rule, scope: project, salt: 'preview' })))
  const id = projectIdOf(project)
  const columns = FIELDS.map(
    (name) => sql`substring(${ident(name)}, 1, ${bind.uint(LONGEST)}) AS ${ident(name)}`,
  )
  const rows = await store.rows<Record<string, string> & { id: string }>(
    sql`SELECT id, ${commaList(columns)} ${visible('calls', id, [])}
      ORDER BY started_at DESC LIMIT ${bind.uint(calls)}`,
    options,
  )
  const matches = new Array<number>(set.rules.length).fill(0)
  const examples: Found['examples'] = []
  let changed = 0
  for (const row of rows) {
    let isChanged = false
    for (const field of FIELDS) {
      const before = row[field]!
      const after = set.value(before, [field], (at) => {
        matches[at]!++
      })
      if (after === before) continue
      isChanged = true
      if (examples.length < MOST_EXAMPLES) examples.push({ call_id: row.id, field, ...pieces(before, after) })
    }
    if (isChanged) changed++
    // Texts may be long, and patterns slow.
    await nextTurn()
  }
  return {
    calls: rows.length,
    changed,
    rules: set.rules.map(({ rule, scope }, at) => ({ name: rule.name, scope, matches: matches[at]! })),
    examples,
  }
}

/** Two texts around their first difference. */
function pieces(before: string, after: string): { before: string; after: string } {
  let at = 0
  while (before[at] === after[at]) at++
  const from = Math.max(0, at - BEFORE)
  const cut = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN).toWellFormed()}${text.length > from + SHOWN ? '…' : ''}`
  return { before: cut(before), after: cut(after) }
}
