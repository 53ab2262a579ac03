/** The fields of feedback as SQL over the table: for answers, filters and sorts. Pure. */

import { canonicalName } from '../../contract/aliases.js'
import { pathSegments } from '../../domain/calls/leaves.js'
import { isoText } from '../../domain/expr/iso.js'
import { rawAt } from '../../domain/expr/json-text.js'
import type { Fields, Value } from '../../domain/expr/value.js'
import { canonicalType } from '../../domain/feedback/kinds.js'
import { bind, commaList, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { DEFAULT_SCORER, SCORER_FIELDS } from './entry.js'

const SCORER = sql`if(scorer = '', ${bind.string(DEFAULT_SCORER)}, scorer)`
const text = (column: Sql): Value => ({ kind: 'text', sql: column, column })
const nullable = (column: Sql): Value => ({ kind: 'text', sql: sql`nullIf(${column}, '')`, column })

const COLUMNS = new Map<string, Value>([
  ['id', text(sql`id`)],
  ['weave_ref', text(sql`weave_ref`)],
  ['platform_user_id', text(sql`user_id`)],
  ['creator', nullable(sql`creator`)],
  ['created_at', { kind: 'time', sql: sql`created_at` }],
  [
    'feedback_type',
    { kind: 'text', sql: sql`canonical_type`, column: sql`canonical_type`, form: canonicalType },
  ],
  ['annotation_ref', nullable(sql`annotation_ref`)],
  ['runnable_ref', nullable(sql`runnable_ref`)],
  ['call_ref', nullable(sql`call_ref`)],
  ['trigger_ref', nullable(sql`trigger_ref`)],
  ['queue_id', nullable(sql`queue_id`)],
])
const OF_SCORERS = new Set(SCORER_FIELDS)
const NAME_LIMIT = 2000

/** The fields of a project's feedback. @param project `entity/project` */
export function feedbackFields(project: string): Fields {
  return (name) => {
    if (name.length > NAME_LIMIT) return undefined
    const canonical = canonicalName(name)
    if (canonical === 'project_id') return { kind: 'text', sql: sql`${bind.string(project)}` }
    return COLUMNS.get(canonical) ?? inside(name)
  }
}

function inside(name: string): Value | undefined {
  const path = pathSegments(name)
  const [root = '', ...rest] = path
  if (root === 'payload') return { kind: 'json', document: sql`payload`, path: rest }
  if (!OF_SCORERS.has(root)) return undefined
  const value = { kind: 'json', document: SCORER, path } as const
  // A list of texts contains a text only if one element equals it.
  return name === 'scorer_tags' ? { ...value, each: sql`JSONExtractArrayRaw(scorer, 'scorer_tags')` } : value
}

const quoted = (column: Sql) => sql`toJSONString(${column})`
const quotedOrNull = (column: Sql) => sql`if(${column} = '', 'null', toJSONString(${column}))`

/** JSON of each field, in the order of answers; a user's id has both of its names. */
function shown(project: string): [string, Sql][] {
  return [
    ['id', quoted(sql`id`)],
    ['project_id', sql`${bind.string(JSON.stringify(project))}`],
    ['weave_ref', quoted(sql`weave_ref`)],
    ['platform_user_id', quoted(sql`user_id`)],
    ['wb_user_id', quoted(sql`user_id`)],
    ['creator', quotedOrNull(sql`creator`)],
    ['created_at', sql`concat('"', ${isoText(sql`created_at`)}, '"')`],
    ['feedback_type', quoted(sql`feedback_type`)],
    ['payload', sql`payload`],
    ['annotation_ref', quotedOrNull(sql`annotation_ref`)],
    ['runnable_ref', quotedOrNull(sql`runnable_ref`)],
    ['call_ref', quotedOrNull(sql`call_ref`)],
    ['trigger_ref', quotedOrNull(sql`trigger_ref`)],
    ['queue_id', quotedOrNull(sql`queue_id`)],
  ]
}

/**
 * SQL of feedback as a JSON object on one line.
 * @param project `entity/project`
 * @param fields the requested fields; null or empty: all
 * @throws 422 for an unknown field
 */
export function feedbackLine(project: string, fields: readonly string[] | null): Sql {
  if (!fields || fields.length === 0) {
    const members = shown(project).map(([name, json]) => sql`${key(name)}, ${json}, ','`)
    return sql`concat('{', ${commaList(members)}, substring(${SCORER}, 2))`
  }
  const known = new Map(shown(project))
  const members = [...new Set(fields.flatMap(bothNames))].map((name) => {
    const json = known.get(name) ?? jsonInside(name)
    if (!json) throw errors.badField(name.slice(0, 200))
    return sql`${key(name)}, ${json}`
  })
  return sql`concat('{', ${join(members, sql`, ',', `)}, '}')`
}

/** What a feedback had in 2025. */
const FIRST_FIELDS = new Set([
  ...['id', 'project_id', 'weave_ref', 'wb_user_id', 'creator', 'created_at', 'feedback_type', 'payload'],
  ...['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref'],
])

/**
 * SQL of feedback as a JSON object on one line, for clients that refuse a field they don't know: the fields of 2025.
 * @param project `entity/project`
 */
export function firstFeedbackLine(project: string): Sql {
  const members = shown(project).flatMap(([name, json]) =>
    FIRST_FIELDS.has(name) ? [sql`${key(name)}, ${json}`] : [],
  )
  return sql`concat('{', ${join(members, sql`, ',', `)}, '}')`
}

function key(name: string): Sql {
  return sql`${bind.string(`${JSON.stringify(name)}:`)}`
}

function bothNames(name: string): string[] {
  return canonicalName(name) === 'platform_user_id' ? ['platform_user_id', 'wb_user_id'] : [name]
}

/** The value at a path, unchanged; null if there is none. */
function jsonInside(name: string): Sql | undefined {
  const value = name.length > NAME_LIMIT ? undefined : inside(name)
  if (value?.kind !== 'json') return undefined
  const raw = rawAt(value)
  return sql`if(${raw} = '', 'null', ${raw})`
}
