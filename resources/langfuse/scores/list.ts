/** SQL that lists scores of Langfuse's SDKs, which are feedback. Pure. */
import type { CursorScoreQuery, NumberedScoreQuery } from '../../../contract/langfuse-scores.js'
import { visible } from '../../../domain/calls/read/visible.js'
import { LANGFUSE_TYPE, scoreFeedbackId } from '../../../domain/feedback/langfuse-score.js'
import { allOf, bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import type { Place } from '../cursor.js'
import { traceColumns } from '../query/calls.js'
import { conditionOf, conditionsOf } from '../query/column.js'
import { payloadText, SCORE_COLUMNS, SCORE_OBSERVATION, TYPE_OF_SCORE, textOr } from './columns.js'

/** The feedback of a score. */
export interface ScoreRow {
  call_id: string
  feedback_type: string
  /** JSON text */
  payload: string
  user_id: string
  /** µs since the epoch */
  created: number
  /** µs since the epoch, of the last change; 0: never changed */
  changed: number
  id: string
}

const COLUMNS = sql`id, call_id, feedback_type, payload, user_id, toUnixTimestamp64Micro(created_at) AS created,
  greatest(toInt64(ver) - 4000000000000000, 0) AS changed`
const NEWEST = sql`ORDER BY created_at DESC, id DESC`

/** FROM and WHERE of a project's scores. @param project `entity/project` */
export function scoresOf(project: string, conditions: readonly Sql[]): Sql {
  const all = [
    sql`project_id = ${bind.string(projectIdOf(project))}`,
    sql`startsWith(canonical_type, ${bind.string(LANGFUSE_TYPE)})`,
    sql`deleted = 0`,
    ...conditions,
  ]
  return sql`FROM feedback FINAL WHERE ${allOf(all)}`
}

/** A score by its id. */
export function scoreById(project: string, id: string): Sql {
  return sql`SELECT ${COLUMNS} ${scoresOf(project, [hasId(project, [id])])} ${NEWEST} LIMIT 1`
}

/** A numbered page, and the number of all. */
export function numberedScores(project: string, query: NumberedScoreQuery): { rows: Sql; count: Sql } {
  const { page, limit, environment, operator, value } = query
  const from = scoresOf(project, [
    ...createdWithin(query),
    ...among(query.scoreIds, (ids) => hasId(project, ids)),
    ...among(listed(query.name), hasName),
    ...among(listed(query.traceId), (ids) => ofTraces(project, ids)),
    ...among(query.observationId, ofObservations),
    ...among(listed(query.sessionId), payloadIn('sessionId')),
    ...among(listed(query.datasetRunId), payloadIn('datasetRunId')),
    ...among(listed(query.configId), payloadIn('configId')),
    ...among(listed(query.queueId), payloadIn('queueId')),
    ...among(listed(query.source), hasSource),
    ...among(listed(query.dataType), hasType),
    ...among(typeof environment === 'string' ? [environment] : environment, hasEnvironment),
    ...(value === undefined ? [] : [compared(operator ?? '=', value)]),
    ...among(listed(query.userId), onTraces(project, 'userId', 'any of')),
    ...among(query.traceTags, onTraces(project, 'tags', 'all of')),
    ...conditionsOf(SCORE_COLUMNS, query.filter),
  ])
  const offset = bind.uint((page - 1) * limit)
  return {
    rows: sql`SELECT ${COLUMNS} ${from} ${NEWEST} LIMIT ${bind.uint(limit)} OFFSET ${offset}`,
    count: sql`SELECT count() AS count ${from}`,
  }
}

/** A page and one row more, after `cursor`. */
export function scoresAfter(project: string, query: CursorScoreQuery, cursor: Place | undefined): Sql {
  const { value, valueMin, valueMax, observationId } = query
  if (observationId && !query.traceId)
    throw errors.badRequest('observationId needs traceId, too: ids of observations belong to a trace.')
  if (value && query.dataType?.length !== 1) throw errors.badRequest('value needs one dataType.')
  const from = scoresOf(project, [
    ...createdWithin(query),
    ...(cursor === undefined
      ? []
      : [
          sql`(toUnixTimestamp64Micro(created_at), id) < (${bind.int(cursor.created)}, ${bind.string(cursor.id)})`,
        ]),
    ...among(query.id, (ids) => hasId(project, ids)),
    ...among(query.name, hasName),
    ...among(query.traceId, (ids) => ofTraces(project, ids)),
    ...among(observationId, ofObservations),
    ...among(query.sessionId, payloadIn('sessionId')),
    ...among(query.experimentId, payloadIn('datasetRunId')),
    ...among(query.configId, payloadIn('configId')),
    ...among(query.queueId, payloadIn('queueId')),
    ...among(query.authorUserId, (ids) => sql`user_id IN ${bind.strings(ids)}`),
    ...among(query.source?.map(upper), hasSource),
    ...among(query.dataType?.map(upper), hasType),
    ...among(query.environment, hasEnvironment),
    ...among(value?.map(asStored), (values) => sql`${VALUE} IN ${bind.strings(values)}`),
    ...(valueMin === undefined ? [] : [compared('>=', valueMin)]),
    ...(valueMax === undefined ? [] : [compared('<=', valueMax)]),
  ])
  return sql`SELECT ${COLUMNS} ${from} ${NEWEST} LIMIT ${bind.uint(query.limit + 1)}`
}

/** The scores of traces, and of their observations. */
export function scoresOfTraces(project: string, traces: readonly string[]): Sql {
  return sql`SELECT ${COLUMNS} ${scoresOf(project, [ofTraces(project, traces)])} ${NEWEST} LIMIT 10000`
}

/** The traces of calls, for scores that don't say theirs: those of older versions and of imports. */
export function tracesOfCalls(project: string, calls: readonly string[]): Sql {
  return sql`SELECT id, trace_id ${visible('calls', projectIdOf(project), [sql`id IN ${bind.strings(calls)}`])}`
}

const VALUE = sql`if(JSONType(payload, 'value') = 'String', JSONExtractString(payload, 'value'), JSONExtractRaw(payload, 'value'))`
const upper = (text: string) => text.toUpperCase()
const listed = (one: string | undefined) => (one === undefined ? undefined : [one])
const BOOLEANS = new Map([
  ['true', '1'],
  ['false', '0'],
])
const asStored = (text: string) => BOOLEANS.get(text) ?? text

function among(list: readonly string[] | undefined, condition: (list: readonly string[]) => Sql): Sql[] {
  return list === undefined ? [] : [condition(list)]
}

const hasId = (project: string, ids: readonly string[]) =>
  sql`id IN ${bind.strings(ids.map((id) => scoreFeedbackId(project, id)))}`
const hasName = (names: readonly string[]) =>
  sql`canonical_type IN ${bind.strings(names.map((name) => `${LANGFUSE_TYPE}${name}`))}`
const payloadIn = (name: string) => (values: readonly string[]) =>
  sql`${payloadText(name)} IN ${bind.strings(values)}`
const orDefault = (name: string, fallback: string) => (values: readonly string[]) =>
  sql`${textOr(name, fallback)} IN ${bind.strings(values)}`
const hasSource = orDefault('source', 'API')
const hasEnvironment = orDefault('environment', 'default')
export const hasType = (types: readonly string[]) => sql`${TYPE_OF_SCORE} IN ${bind.strings(types)}`

/** The scores of traces lie on their root calls, and are about no observation. */
const ofObservations = (ids: readonly string[]) =>
  sql`(call_id IN ${bind.strings(ids)} AND ${SCORE_OBSERVATION} != '')`

const ofTraces = (project: string, traces: readonly string[]) => {
  const inTraces = visible('calls', projectIdOf(project), [sql`trace_id IN ${bind.strings(traces)}`])
  return sql`(${payloadIn('traceId')(traces)} OR call_id IN (SELECT id ${inTraces}))`
}

/** The scores of traces that a filter selects. */
const onTraces = (project: string, column: string, operator: string) => (values: readonly string[]) => {
  const chosen = conditionOf(traceColumns(project), { column, operator, value: [...values] })
  const traces = visible('calls', projectIdOf(project), [sql`parent_id = ''`, chosen])
  return sql`${payloadText('traceId')} IN (SELECT trace_id ${traces})`
}

const OPERATORS = {
  '<': sql`<`,
  '>': sql`>`,
  '<=': sql`<=`,
  '>=': sql`>=`,
  '=': sql`=`,
  '!=': sql`!=`,
}
const compared = (operator: keyof typeof OPERATORS, value: number) =>
  sql`(JSONType(payload, 'value') != 'String' AND JSONExtractFloat(payload, 'value') ${OPERATORS[operator]} ${bind.float(value)})`

export function createdWithin({
  fromTimestamp,
  toTimestamp,
}: {
  fromTimestamp?: string | undefined
  toTimestamp?: string | undefined
}): Sql[] {
  const micros = (time: string) => bind.int(Date.parse(time) * 1000)
  return [
    ...(fromTimestamp === undefined
      ? []
      : [sql`toUnixTimestamp64Micro(created_at) >= ${micros(fromTimestamp)}`]),
    ...(toTimestamp === undefined ? [] : [sql`toUnixTimestamp64Micro(created_at) < ${micros(toTimestamp)}`]),
  ]
}
