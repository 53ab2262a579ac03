/** Conditions on groups of conversations: by their feedback, and by insights, which don't exist here. Pure. */
import type { AgentInsightFilter, AgentSignalFilter } from '../../contract/agents.js'
import { wrong } from '../../domain/calls/read/span.js'
import { allOf, bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

const SIGN = { gte: sql`>=`, gt: sql`>`, lte: sql`<=`, lt: sql`<`, eq: sql`=` } as const
const TOPIC = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** The condition that a conversation has agents' feedback with any of the tags, and with a match for each rating. */
export function signalConditions(
  filter: AgentSignalFilter | null | undefined,
  projectId: string,
  conversation: Sql,
): Sql[] {
  if (filter == null) return []
  const tags = filter.tags.length === 0 ? [] : [sql`hasAny(${TAGS}, ${bind.strings(filter.tags)})`]
  const ratings = filter.ratings.map(
    ({ scorer_key, op, value }) =>
      sql`mapContains(${RATINGS}, ${bind.string(scorer_key)}) AND ${RATINGS}[${bind.string(scorer_key)}] ${SIGN[op]} ${bind.float(value)}`,
  )
  return [...tags, ...ratings].map(
    (condition) => sql`${conversation} IN (SELECT ${CONVERSATION} ${agentFeedback(projectId, [condition])})`,
  )
}

/** FROM and WHERE of the feedback of monitors and users. @param projectId internal id */
export function agentFeedback(projectId: string, conditions: readonly Sql[]): Sql {
  const all = [
    sql`project_id = ${bind.string(projectId)}`,
    sql`deleted = 0 AND canonical_type IN ('platform.agent_monitor', 'platform.agent_user_feedback')`,
    ...conditions,
  ]
  return sql`FROM feedback FINAL WHERE ${allOf(all)}`
}

const TAGS = sql`JSONExtract(scorer, 'scorer_tags', 'Array(String)')`
const RATINGS = sql`JSONExtract(scorer, 'scorer_ratings', 'Map(String, Float64)')`
const CONVERSATION = sql`JSONExtractString(scorer, 'span_conversation_id')`

/** No insights are computed here: a filter for one matches nothing, a filter for its absence everything. @throws 422 */
export function insightConditions(filters: readonly AgentInsightFilter[]): Sql[] {
  return filters.flatMap(({ field, values, exclude }) => {
    if (field.endsWith('_topic_id') && !values.every((value) => TOPIC.test(value)))
      throw wrong('insight_filters', `${field} should have ids of topics, which are UUIDs`)
    return exclude ? [] : [sql`0`]
  })
}
