/** Compiles the calls filter (contract §2.1) to conditions over the columns of calls. Pure. */

import type { CallsFilter } from '../../contract/calls-read.js'
import { readable } from '../../domain/expr/json-text.js'
import { bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'

const NOTHING = sql`0`
const LIST_LIMIT = 1000

/**
 * The conditions of `filter`, all of which must hold.
 * @param project `entity/project`
 * @throws 400 for a list of more than 1,000 values
 */
export function filterConditions(filter: CallsFilter | null, project: string): Sql[] {
  if (!filter) return []
  for (const [name, list] of Object.entries(filter)) {
    if (Array.isArray(list) && list.length > LIST_LIMIT)
      throw errors.badRequest(`${name} has ${list.length} values; send at most ${LIST_LIMIT}.`)
  }
  return [
    named(sql`op_name`, filter.op_names),
    refs(sql`inputs`, filter.input_refs),
    refs(sql`output`, filter.output_refs),
    oneOf(sql`parent_id`, filter.parent_ids),
    oneOf(sql`trace_id`, filter.trace_ids),
    oneOf(sql`id`, filter.call_ids),
    filter.thread_ids?.length === 0 ? NOTHING : oneOf(sql`thread_id`, filter.thread_ids),
    filter.turn_ids?.length === 0 ? NOTHING : oneOf(sql`turn_id`, filter.turn_ids),
    filter.trace_roots_only ? sql`parent_id = ''` : sql``,
    oneOf(sql`user_id`, filter.platform_user_ids),
    oneOf(
      sql`run_id`,
      filter.platform_run_ids?.flatMap((run) => runForms(run, project)),
    ),
  ].filter((condition) => !condition.empty)
}

/** '' means unset in the tables, so a caller's '' must not reach them. */
function oneOf(column: Sql, values: readonly string[] | null | undefined): Sql {
  if (!values || values.length === 0) return sql``
  const set = values.filter((value) => value !== '')
  if (set.length === 0) return NOTHING
  return set.length === 1 ? sql`${column} = ${bind.string(set[0]!)}` : sql`${column} IN ${bind.strings(set)}`
}

const ANY_VERSION = ':*'

/** Matches values exactly, and those that end in `:*` as prefixes. */
function split(values: readonly string[]): { exact: string[]; beginnings: string[] } {
  const beginnings = values.filter((value) => value.endsWith(ANY_VERSION)).map((value) => value.slice(0, -1))
  return { exact: values.filter((value) => !value.endsWith(ANY_VERSION)), beginnings }
}

function named(column: Sql, values: readonly string[] | null): Sql {
  if (!values || values.length === 0) return sql``
  const { exact, beginnings } = split(values)
  const pieces = beginnings.map((beginning) => sql`startsWith(${column}, ${bind.string(beginning)})`)
  if (exact.length > 0) pieces.unshift(oneOf(column, exact))
  return sql`(${join(pieces, sql` OR `)})`
}

/**
 * Matches any top-level value that is one of the refs, or a list with one of them. The text is searched first; it can
 * miss a ref only if it has a backslash, as JSON may escape any character.
 */
function refs(document: Sql, values: readonly string[] | null): Sql {
  if (!values || values.length === 0) return sql``
  const { exact, beginnings } = split(values)
  const pieces = beginnings.map((beginning) => sql`startsWith(x, ${bind.string(beginning)})`)
  if (exact.length > 0) pieces.unshift(sql`x IN ${bind.strings(exact)}`)
  const seen = sql`(${anywhere(document, [...exact, ...beginnings])} OR position(${document}, ${bind.string('\\')}) > 0)`
  const text = readable(document)
  const tops = sql`if(JSONType(${text}) = 'Object', arrayMap(kv -> kv.2, JSONExtractKeysAndValuesRaw(${text})), [${text}])`
  const texts = sql`arrayFlatten(arrayMap(v -> if(startsWith(v, '['), JSONExtract(v, 'Array(String)'), [JSONExtractString(v)]), ${tops}))`
  return sql`${seen} AND arrayExists(x -> ${join(pieces, sql` OR `)}, ${texts})`
}

/** The engine searches for at most 255 needles at once. */
const NEEDLES = 255

function anywhere(document: Sql, needles: readonly string[]): Sql {
  const searches: Sql[] = []
  for (let i = 0; i < needles.length; i += NEEDLES)
    searches.push(sql`multiSearchAny(${document}, ${bind.strings(needles.slice(i, i + NEEDLES))})`)
  return join(searches, sql` OR `)
}

/** A run id is stored with or without this project's name, as the client sent it; either form matches both. */
function runForms(run: string, project: string): string[] {
  if (run === '') return ['']
  const prefix = `${project}/`
  if (run.startsWith(prefix)) return [run, run.slice(prefix.length)]
  return run.includes('/') ? [run] : [run, prefix + run]
}
