/** SQL that lists comments of Langfuse's SDKs, which are notes, and what they are shown as. Pure. */
import type { CommentedType, CommentQuery, LangfuseComment } from '../../../contract/langfuse-comments.js'
import { refIn, refText } from '../../../contract/ref.js'
import { NOTE } from '../../../domain/feedback/kinds.js'
import { agentRef, subjectOf } from '../../../domain/feedback/subject.js'
import { allOf, bind, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { isoOfMicros } from '../../../platform/time/iso.js'

export interface NoteRow {
  id: string
  call_id: string
  weave_ref: string
  note: string
  /** of a note on a trace, which is a note on its root call; empty: it is on the call */
  trace: string
  author: string
  /** µs since the epoch */
  created: number
}

const TRACE = sql`JSONExtractString(payload, 'traceId')`
const AUTHOR = sql`if(creator = '', user_id, creator)`
const COLUMNS = sql`id, call_id, weave_ref, JSONExtractString(payload, 'note') AS note, ${TRACE} AS trace,
  ${AUTHOR} AS author, toUnixTimestamp64Micro(created_at) AS created`

/** The ref of a version of a prompt; undefined: the id names none. */
export function promptRef(project: string, id: string): string | undefined {
  const [, name, digest] = /^(.+):(.+)$/.exec(id) ?? []
  return name && digest ? refText({ project, kind: 'object', name, digest, steps: [] }) : undefined
}

const objectsIn = (project: string) => `weave:///${project}/object/`
const conversationsIn = (project: string) => agentRef(project, 'conversation', '')

/** What notes are about, by its type. */
const ABOUT: Record<CommentedType, (project: string, id: string | undefined) => Sql> = {
  TRACE: (_, id) => (id === undefined ? sql`${TRACE} != ''` : sql`${TRACE} = ${bind.string(id)}`),
  OBSERVATION: (_, id) =>
    sql`${TRACE} = '' AND ${id === undefined ? sql`call_id != ''` : sql`call_id = ${bind.string(id)}`}`,
  SESSION: (project, id) =>
    id === undefined
      ? sql`startsWith(weave_ref, ${bind.string(conversationsIn(project))})`
      : sql`weave_ref = ${bind.string(agentRef(project, 'conversation', id))}`,
  PROMPT: (project, id) =>
    id === undefined
      ? sql`startsWith(weave_ref, ${bind.string(objectsIn(project))})`
      : sql`weave_ref = ${bind.string(promptRef(project, id) ?? '')}`,
}

function notesIn(project: string, conditions: readonly Sql[]): Sql {
  const all = [
    sql`project_id = ${bind.string(projectIdOf(project))} AND canonical_type = ${bind.string(NOTE)} AND deleted = 0`,
    ...conditions,
  ]
  return sql`FROM feedback FINAL WHERE ${allOf(all)}`
}

/** A page of comments, and the number of all. @param project `entity/project` */
export function commentsPage(project: string, query: CommentQuery): { rows: Sql; count: Sql } {
  const { objectType, objectId, authorUserId, page, limit } = query
  const types = objectType === undefined ? Object.values(ABOUT) : [ABOUT[objectType]]
  const about = types.map((condition) => sql`(${condition(project, objectId)})`)
  const from = notesIn(project, [
    sql`(${join(about, sql` OR `)})`,
    ...(authorUserId === undefined ? [] : [sql`${AUTHOR} = ${bind.string(authorUserId)}`]),
  ])
  return {
    rows: sql`SELECT ${COLUMNS} ${from} ORDER BY created_at DESC, id DESC
      LIMIT ${bind.uint(limit)} OFFSET ${bind.uint((page - 1) * limit)}`,
    count: sql`SELECT count() AS count ${from}`,
  }
}

export function commentById(project: string, id: string): Sql {
  return sql`SELECT ${COLUMNS} ${notesIn(project, [sql`id = ${bind.string(id)}`])} LIMIT 1`
}

/** A note as a comment; undefined: it is about something else. */
export function commentOf(project: string, row: NoteRow): LangfuseComment | undefined {
  const about = aboutOf(project, row)
  if (about === undefined) return undefined
  const at = isoOfMicros(row.created)
  const { id, note: content, author } = row
  return {
    ...about,
    id,
    projectId: project,
    content,
    authorUserId: author || null,
    createdAt: at,
    updatedAt: at,
  }
}

function aboutOf(
  project: string,
  { call_id, weave_ref, trace }: NoteRow,
): Pick<LangfuseComment, 'objectType' | 'objectId'> | undefined {
  if (trace !== '') return { objectType: 'TRACE', objectId: trace }
  if (call_id !== '') return { objectType: 'OBSERVATION', objectId: call_id }
  const { conversation } = subjectOf(weave_ref, project)
  if (conversation !== undefined) return { objectType: 'SESSION', objectId: conversation }
  const ref = refIn(weave_ref)
  return ref?.kind === 'object' ? { objectType: 'PROMPT', objectId: `${ref.name}:${ref.digest}` } : undefined
}
