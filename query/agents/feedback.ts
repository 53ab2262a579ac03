import type { AgentChatFeedback } from '../../contract/agent-chat.js'
import { agentRef, decodedPart } from '../../domain/feedback/subject.js'
import { bind, commaList, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { agentFeedback } from './signals.js'

export interface FeedbackRow {
  id: string
  feedback_type: string
  weave_ref: string
  payload: string
  creator: string
  created: number
  user_id: string
  runnable_ref: string
  call_ref: string
  trigger_ref: string
  annotation_ref: string
  scorer: string
}

const COLUMNS = sql`id, feedback_type, weave_ref, payload, creator, toUnixTimestamp64Micro(created_at) AS created,
  user_id, runnable_ref, call_ref, trigger_ref, annotation_ref, scorer`

/** The refs of parts of an agent's work in a project. */
export const refsOf = (project: string) => ({
  conversation: (id: string) => agentRef(project, 'conversation', id),
  turn: (traceId: string) => agentRef(project, 'turn', traceId),
  span: (spanId: string) => agentRef(project, 'span', spanId),
})

/** The feedback on `refs`, by ref, the oldest first. */
export function feedbackStatement(projectId: string, refs: readonly string[]): Sql {
  const plain = refs.map((ref) => decodeURIComponent(ref))
  const all = bind.strings([...new Set([...refs, ...plain])])
  return sql`SELECT ${COLUMNS} FROM feedback FINAL WHERE project_id = ${bind.string(projectId)} AND call_id = ''
  AND deleted = 0 AND weave_ref IN ${all} ORDER BY created_at, id`
}

export function feedbackByRef(rows: readonly FeedbackRow[]): ReadonlyMap<string, AgentChatFeedback[]> {
  const found = new Map<string, AgentChatFeedback[]>()
  for (const row of rows) {
    const ref = row.weave_ref.replace(/[^/]+$/, (id) => encodeURIComponent(decodedPart(id)))
    found.set(ref, [...(found.get(ref) ?? []), answerOf(row)])
  }
  return found
}

const NO_SCORER = {
  scorer_tags: [],
  scorer_tag_reasons: {},
  scorer_tag_confidences: {},
  scorer_ratings: {},
  scorer_rating_reasons: {},
  scorer_rating_confidences: {},
}

function answerOf({ created, payload, scorer, user_id, ...row }: FeedbackRow): AgentChatFeedback {
  const said = (scorer === '' ? {} : JSON.parse(scorer)) as Partial<typeof NO_SCORER>
  const ofScorer = Object.fromEntries(
    Object.entries(NO_SCORER).map(([name, none]) => [name, said[name as keyof typeof NO_SCORER] ?? none]),
  ) as typeof NO_SCORER
  return {
    id: row.id,
    feedback_type: row.feedback_type,
    weave_ref: row.weave_ref,
    payload: JSON.parse(payload) as Record<string, unknown>,
    creator: row.creator || null,
    created_at: isoOfMicros(created),
    platform_user_id: user_id,
    wb_user_id: user_id,
    runnable_ref: row.runnable_ref || null,
    call_ref: row.call_ref || null,
    trigger_ref: row.trigger_ref || null,
    annotation_ref: row.annotation_ref || null,
    ...ofScorer,
  }
}

/** A row of {@link conversationFeedbackStatement}. */
export interface ConversationFeedbackRow {
  conversation: string
  trace_id: string
  feedback_type: string
  tags: string[]
  ratings: Record<string, number>
  reasons: Record<string, string>
  confidences: Record<string, number>
}

/** The feedback of monitors and users on conversations and their turns. */
export function conversationFeedbackStatement(projectId: string, conversations: readonly string[]): Sql {
  const conversation = sql`JSONExtractString(scorer, 'span_conversation_id')`
  const columns = commaList([
    sql`${conversation} AS conversation, JSONExtractString(scorer, 'span_trace_id') AS trace_id, feedback_type`,
    sql`JSONExtract(scorer, 'scorer_tags', 'Array(String)') AS tags`,
    sql`JSONExtract(scorer, 'scorer_ratings', 'Map(String, Float64)') AS ratings`,
    sql`JSONExtract(scorer, 'scorer_rating_reasons', 'Map(String, String)') AS reasons`,
    sql`JSONExtract(scorer, 'scorer_rating_confidences', 'Map(String, Float64)') AS confidences`,
  ])
  return sql`SELECT ${columns} ${agentFeedback(projectId, [sql`${conversation} IN ${bind.strings(conversations)}`])} ORDER BY created_at, id`
}
