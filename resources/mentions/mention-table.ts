import { bind, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'

/** That somebody was named in a note. */
export interface Mention {
  /** who was */
  userId: string
  id: string
  projectId: string
  callId: string
  weaveRef: string
  /** the note */
  feedbackId: string
  /** name of who wrote it */
  by: string
  /** µs since the epoch */
  at: number
  mail: 'none' | 'waiting' | 'delivered' | 'failed'
  attempts: number
  /** µs since the epoch; 0: at once */
  nextAt: number
  problem: string
}

/** Stores mentions. @param ver 0: they are new, which changes nothing of one that is there */
export function putMentions(store: Store, mentions: readonly Mention[], ver: number): Promise<void> {
  return store.insertRows(
    'mentions',
    mentions.map(({ nextAt, ...one }) => ({
      ...{ user_id: one.userId, mention_id: one.id, project_id: one.projectId, call_id: one.callId },
      ...{ weave_ref: one.weaveRef, feedback_id: one.feedbackId, by_user: one.by, mail: one.mail },
      ...{ at: isoOfMicros(one.at), attempts: one.attempts, next_at: isoOfMicros(nextAt) },
      ...{ problem: one.problem, ver: String(ver) },
    })),
  )
}

/** The newest of a user, the newest first. */
export function mentionsOf(store: Store, userId: string, limit: number): Promise<Mention[]> {
  return mentionsThat(
    store,
    sql`user_id = ${bind.string(userId)}`,
    sql`ORDER BY at DESC, mention_id LIMIT ${bind.uint(limit)}`,
  )
}

/** Those in notes of a project. */
export function mentionsIn(
  store: Store,
  projectId: string,
  feedbackIds: readonly string[],
): Promise<Mention[]> {
  return mentionsThat(
    store,
    sql`project_id = ${bind.string(projectId)} AND feedback_id IN ${bind.strings(feedbackIds)}`,
  )
}

/** Those of which mail is due, the oldest first. @param now @param since µs since the epoch */
export function mailDue(store: Store, now: number, since: number, limit: number): Promise<Mention[]> {
  return mentionsThat(
    store,
    sql`mail = 'waiting' AND next_at <= ${instant(now)} AND at >= ${instant(since)}`,
    sql`ORDER BY at, mention_id LIMIT ${bind.uint(limit)}`,
  )
}

function mentionsThat(store: Store, condition: Sql, rest = sql``): Promise<Mention[]> {
  return store.rows<Mention>(sql`SELECT user_id AS userId, mention_id AS id, project_id AS projectId, call_id AS callId,
      weave_ref AS weaveRef, feedback_id AS feedbackId, by_user AS by, toUnixTimestamp64Micro(newest.at) AS at,
      toString(mail) AS mail, attempts, toUnixTimestamp64Micro(next_at) AS nextAt, problem
    FROM (SELECT * FROM mentions FINAL WHERE ${condition} ${rest}) AS newest ORDER BY at DESC, mention_id`)
}

/** The texts of the notes of mentions, by {@link noteKey}; of those that were withdrawn there is none. */
export async function notesOf(store: Store, mentions: readonly Mention[]): Promise<Map<string, string>> {
  if (mentions.length === 0) return new Map()
  const keys = mentions.map(({ projectId, callId, weaveRef, feedbackId }) => [
    projectId,
    callId,
    weaveRef,
    feedbackId,
  ])
  const rows = await store.rows<{ project_id: string; id: string; note: string }>(sql`
    SELECT project_id, id, JSONExtractString(payload, 'note') AS note FROM feedback FINAL
    WHERE (project_id, call_id, weave_ref, id) IN ${bind.tuples(['String', 'String', 'String', 'String'], keys)}
      AND deleted = 0`)
  return new Map(
    rows.map(({ project_id: projectId, id: feedbackId, note }) => [noteKey({ projectId, feedbackId }), note]),
  )
}

/** What {@link notesOf} finds a note by. */
export const noteKey = ({ projectId, feedbackId }: Pick<Mention, 'projectId' | 'feedbackId'>): string =>
  `${projectId} ${feedbackId}`

/** Until when a user looked at its mentions, in µs; 0: never. */
export async function seenUntil(store: Store, userId: string): Promise<number> {
  const seen = sql`FROM mentions_seen WHERE user_id = ${bind.string(userId)}`
  return (await store.value<number>(sql`SELECT toUnixTimestamp64Micro(max(seen_at)) ${seen}`)) ?? 0
}

/** @param until µs since the epoch */
export function putSeenUntil(store: Store, userId: string, until: number): Promise<void> {
  return store.insertRows('mentions_seen', [{ user_id: userId, seen_at: isoOfMicros(until) }])
}
