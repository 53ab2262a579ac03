/**
 * Erases what one user or one pattern has left in a project, in all tables. Counts first; what is done may be done again,
 * so that an erasure that was cut off is repeated. Waits until the parts that held it are rewritten. Knows which columns
 * hold texts (`domain/masking/columns.ts`); backups and exports it can't reach.
 */

import type { Table } from '../../platform/clickhouse/cluster.js'
import { mutationsEnd } from '../../platform/clickhouse/mutations.js'
import { bind, commaList, ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { userIdOf } from '../auth/api-key.js'
import { COLUMNS } from '../masking/columns.js'

/** What is to go. */
export interface Erasure {
  /** entity/project */
  project: string
  what: { user: string } | { pattern: string; ignoreCase: boolean }
}

/** What an erasure changes in a table. */
export interface Erased {
  table: Table
  /** rows that match; of a ReplacingMergeTree also those that were replaced */
  rows: number
  /** deleted: the rows go; masked: the matches in their texts; emptied: their texts */
  how: 'deleted' | 'masked' | 'emptied'
}

/** A change of one table. */
interface Step {
  table: Table
  how: Erased['how']
  where: Sql
  /** assignments; undefined: the rows are deleted */
  set?: Sql
}

/** What stands where something was erased. */
const ERASED = '[ERASED]'

/**
 * @param dry only counts
 * @returns one entry for each table with something to erase
 * @throws Error with ClickHouse's message if a change fails; what was done until then stays done
 */
export async function erase(store: Store, erasure: Erasure, dry: boolean): Promise<Erased[]> {
  const { what } = erasure
  const projectId = projectIdOf(erasure.project)
  const steps =
    'user' in what
      ? await userSteps(store, projectId, what.user)
      : patternSteps(projectId, erasure.project, what.ignoreCase ? `(?i)${what.pattern}` : what.pattern)
  const done: Erased[] = []
  const counted: Step[] = []
  for (const step of steps) {
    const rows =
      (await store.value<number>(sql`SELECT count() FROM ${ident(step.table)} WHERE ${step.where}`)) ?? 0
    if (rows === 0) continue
    counted.push(step)
    const same = done.find(({ table, how }) => table === step.table && how === step.how)
    if (same) same.rows += rows
    else done.push({ table: step.table, rows, how: step.how })
  }
  if (dry) return done
  for (const { table, set, where } of counted) {
    const change = set === undefined ? sql`DELETE` : sql`UPDATE ${set}`
    await store.run(sql`ALTER TABLE ${store.mutable(table)} ${change} WHERE ${where}`, {
      settings: { mutations_sync: '0' },
    })
    await mutationsEnd(store, table)
  }
  return done
}

/**
 * The most calls of a user that one erasure names: their ids are part of the statements. More of them are erased by
 * repeating it.
 */
const MOST_CALLS = 100_000

/** Everything that hangs on the user's calls goes first, so that an erasure that was cut off finds it again. */
async function userSteps(store: Store, projectId: string, user: string): Promise<Step[]> {
  const inProject = sql`project_id = ${bind.string(projectId)}`
  const users = bind.strings([user, userIdOf(user)])
  const traces = await store.rows<{ trace_id: string }>(sql`
    SELECT DISTINCT trace_id FROM (
      SELECT trace_id FROM calls WHERE ${inProject} AND ${isOf(user)}
      UNION ALL SELECT trace_id FROM calls_open WHERE ${inProject} AND ${isOf(user)})
    WHERE trace_id != '' LIMIT ${bind.uint(MOST_CALLS)}`)
  const inTraces = sql`${inProject} AND trace_id IN ${bind.strings(traces.map(({ trace_id }) => trace_id))}`
  const calls = await store.rows<{ id: string }>(sql`
    SELECT DISTINCT id FROM (SELECT id FROM calls WHERE ${inTraces} UNION ALL SELECT id FROM calls_open WHERE ${inTraces})
    LIMIT ${bind.uint(MOST_CALLS)}`)
  const ids = bind.strings(calls.map(({ id }) => id))
  const rowDigests = sql`SELECT row_digest FROM dataset_sources WHERE ${inProject} AND source_id IN ${ids}`
  const copied = (
    await store.rows<{ digest: string }>(sql`SELECT DISTINCT row_digest AS digest FROM (${rowDigests})`)
  ).map(({ digest }) => digest)
  const items = sql`SELECT id FROM annotation_queue_items WHERE ${inProject} AND call_id IN ${ids}`
  const itemIds = (await store.rows<{ id: string }>(items)).map(({ id }) => id)
  const deleted = (table: Table, where: Sql): Step => ({
    ...{ table, how: 'deleted' },
    where: sql`${inProject} AND (${where})`,
  })
  return [
    {
      ...{ table: 'table_rows', how: 'emptied', set: sql`val = '{"erased":true}'` },
      where: sql`${inProject} AND digest IN ${bind.strings(copied)} AND val != '{"erased":true}'`,
    },
    {
      ...{ table: 'dataset_items', how: 'emptied', set: sql`members = '{}'` },
      where: sql`${inProject} AND row_digest IN ${bind.strings(copied)} AND members != '{}'`,
    },
    deleted('feedback', sql`call_id IN ${ids} OR user_id IN ${users} OR creator IN ${users}`),
    deleted('annotation_progress', sql`annotator_id IN ${users} OR item_id IN ${bind.strings(itemIds)}`),
    deleted('annotation_queue_items', sql`call_id IN ${ids}`),
    deleted('mentions', sql`call_id IN ${ids} OR user_id IN ${users} OR by_user = ${bind.string(user)}`),
    deleted('dataset_sources', sql`source_id IN ${ids}`),
    deleted('call_tokens', sql`call_id IN ${ids}`),
    deleted('call_names', sql`id IN ${ids}`),
    deleted(
      'responses',
      sql`arrayExists(x -> x = ${bind.string(user)}, [JSONExtractString(content, 'user'),
        JSONExtractString(content, 'safety_identifier'), JSONExtractString(content, 'metadata', 'user_id')])`,
    ),
    // Those that name the user last: by them the others are found.
    ...[sql`NOT ${isOf(user)}`, isOf(user)].flatMap((those) => [
      deleted('calls_open', sql`id IN ${ids} AND ${those}`),
      deleted('calls', sql`id IN ${ids} AND ${those}`),
    ]),
  ]
}

/** Whether a call is of the user: by the key that sent it, or as its attributes say. */
function isOf(user: string): Sql {
  const name = bind.string(user)
  const said = USER_KEYS.map(
    (key) =>
      sql`JSONExtractString(attributes, ${commaList(
        key.map((part) => sql`${bind.string(part)}`),
      )}) = ${name}`,
  )
  const sent = sql`user_id IN ${bind.strings([user, userIdOf(user)])}`
  // A glance first: most attributes don't have the text at all.
  const mayBe = sql`position(attributes, ${bind.string(JSON.stringify(user).slice(1, -1))}) > 0`
  return sql`(${sent} OR (${mayBe} AND (${join(said, sql` OR `)})))`
}

/** Tables whose rows belong to a project by something else than `project_id`. */
const OTHERWISE: Partial<Record<Table, (project: string) => Sql>> = {
  batch_results: (project) =>
    sql`batch_id IN (SELECT id FROM batches WHERE trace_project = ${bind.string(project)})`,
  batches: (project) => sql`trace_project = ${bind.string(project)}`,
  shares: (project) => sql`project = ${bind.string(project)}`,
}

/** In whichever table there are texts. */
function patternSteps(projectId: string, project: string, pattern: string): Step[] {
  const re = bind.string(pattern)
  return (Object.keys(COLUMNS) as Table[]).flatMap((table): Step[] => {
    const { texts, kept } = COLUMNS[table]
    if (texts.length === 0) return []
    const those = kept.includes('project_id')
      ? sql`project_id = ${bind.string(projectId)}`
      : OTHERWISE[table]?.(project)
    if (those === undefined) return []
    const matches = join(
      texts.map((name) => sql`match(${ident(name)}, ${re})`),
      sql` OR `,
    )
    const where = sql`${those} AND (${matches})`
    if (table === 'files') return fileSteps(those, re)
    const set = commaList(texts.map((name) => sql`${ident(name)} = ${masked(name, re)}`))
    return [{ table, how: 'masked', where, set }]
  })
}

/**
 * The text with its matches replaced. JSON stays JSON: where it would not, the whole value goes. The values of a span stand
 * between control characters, which must stay as many as they are.
 */
function masked(name: string, re: Sql | ReturnType<typeof bind.string>): Sql {
  const text = ident(name)
  const put = bind.string(ERASED)
  const made = sql`replaceRegexpAll(${text}, ${re}, ${put})`
  if (name === 'otel_span') {
    const marks = (of: Sql) => sql`countSubstrings(${of}, '\\x01')`
    return sql`if(${marks(made)} = ${marks(sql`${text}`)}, ${made}, replaceRegexpAll(${text}, '[^\\x01]+', '"[ERASED]"'))`
  }
  const emptied = sql`multiIf(startsWith(${text}, '{'), '{}', startsWith(${text}, '['), '[]', '"[ERASED]"')`
  return sql`if(match(${text}, ${re}), if(isValidJSON(${text}) AND NOT isValidJSON(${made}), ${emptied}, ${made}), ${text})`
}

/** Files are read by their length, and in pieces: one with a match is emptied. */
function fileSteps(those: Sql, re: ReturnType<typeof bind.string>): Step[] {
  const digests = sql`digest IN (SELECT digest FROM files WHERE ${those} AND (match(content, ${re}) OR match(name, ${re})))`
  return [
    { table: 'files', how: 'deleted', where: sql`${those} AND chunk > 0 AND ${digests}` },
    {
      ...{
        table: 'files',
        how: 'emptied',
        set: sql`content = '', name = ${bind.string(ERASED)}, bytes = 0, chunks = 1`,
      },
      where: sql`${those} AND chunk = 0 AND chunks > 0 AND ${digests}`,
    },
  ]
}

/** What an erasure does not reach, by where it is. */
export interface Left {
  where: string
  /** how many, or 0 where that can't be said */
  count: number
}

/** Backups that the store still knows of, and files that lie outside the tables. */
export async function leftElsewhere(store: Store, project: string): Promise<Left[]> {
  const [backups, outside] = await Promise.all([
    store.rows<{ name: string }>(
      sql`SELECT DISTINCT name FROM ${store.everywhere('system.backups')} WHERE status = 'BACKUP_CREATED'`,
    ),
    store.row<{ files: number }>(
      sql`SELECT toFloat64(uniqExact(digest)) AS files FROM files
        WHERE project_id = ${bind.string(projectIdOf(project))} AND chunk = 0 AND chunks = 0`,
    ),
  ])
  return [
    ...backups.map(({ name }) => ({ where: `backup ${name}`, count: 0 })),
    ...((outside?.files ?? 0) > 0
      ? [{ where: 'large files in HEDDLE_ARTIFACTS', count: outside!.files }]
      : []),
  ]
}

/** Paths in `attributes` that may say whose a call is: what spans say, as it is stored, and what programs write themselves. */
export const USER_KEYS: readonly (readonly string[])[] = [
  ['user_id'],
  ['userId'],
  ['user'],
  ['user', 'id'],
  ['user.id'],
  ['enduser', 'id'],
  ['enduser.id'],
  ['langfuse.user.id'],
  ['metadata', 'user_id'],
  ['platform', 'user_id'],
]
