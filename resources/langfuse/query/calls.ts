import { callFields, LATENCY_MS } from '../../../domain/calls/read/fields.js'
import type { SpanPlaces } from '../../../domain/calls/span-places.js'
import { EPOCH } from '../../../domain/calls/unset.js'
import { COMPLETION, modelsOf, PROMPT, TOTAL, usagesOf } from '../../../domain/costs/usages.js'
import { asText } from '../../../domain/expr/cast.js'
import { rawAt, textAt } from '../../../domain/expr/json-text.js'
import type { JsonValue } from '../../../domain/expr/value.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import type { Column, Columns } from './column.js'

/** What Langfuse's SDKs send as attributes of spans. */
export const LANGFUSE = 'attributes.otel_span.attributes.langfuse'

const text = (column: Sql): Column => ({ type: 'text', sql: column })
const number = (column: Sql): Column => ({ type: 'number', sql: column })

/** An input or output as `observationOf` of `reads/view.ts` shows it: JSON text, or the text that it is. */
function content(document: Sql, name: 'input' | 'output'): Column {
  const own = textAt({ document, path: [`langfuse.observation.${name}`] })
  return { type: 'content', sql: sql`if(${own} = '', ${document}, ${own})` }
}

const SECONDS = sql`nullIf(${LATENCY_MS}, 0) / 1000`

/** What several columns are read from, where a subquery has computed some of it. */
export interface Read {
  usages: Sql
  /** what Langfuse's SDKs sent at a path */
  sent: (name: string) => JsonValue
}

/** What Langfuse's SDKs sent, as JSON text. @param project `entity/project` */
export const sentText = (project: string): Sql => rawAt(jsonField(project, LANGFUSE))

/** A member of that text. */
export const sentIn = (text: Sql, name: string): JsonValue => ({
  kind: 'json',
  document: text,
  path: name.split('.'),
})

/** Reads the call's own columns. @param places where attributes of spans are; absent: in their whole text */
export const readBy = (project: string, places?: SpanPlaces): Read => ({
  usages: usagesOf(sql`summary`),
  sent: (name) => jsonField(project, `${LANGFUSE}.${name}`, places),
})

function jsonField(project: string, name: string, places?: SpanPlaces): JsonValue {
  return callFields(project, undefined, places)(name) as JsonValue
}

/**
 * @param project `entity/project`
 */
export function callColumns(project: string, read = readBy(project)): Required<Columns> {
  const { usages, sent: field } = read
  // One answer counts once, though several spans tell of it. In a branch of `if` the engine would read usages for each count.
  const tokens = (count: Sql) => sql`(repeats_usage = 0) * arraySum(usage -> ${count}, ${usages})`
  const fields = callFields(project)
  const at = (name: string): Sql => sql`ifNull(${asText(fields(name)!)}, '')`
  const sent = (name: string) => textAt(field(name))
  const or = (value: Sql, fallback: Sql | string) =>
    sql`if(${value} = '', ${typeof fallback === 'string' ? bind.string(fallback) : fallback}, ${value})`
  const level = sent('observation.level')
  const model = at('attributes.model')
  const answered = sql`parseDateTime64BestEffortOrNull(replaceAll(${sent('observation.completion_start_time')}, '"', ''), 6, 'UTC')`
  const until = (end: Sql, start: Sql) =>
    sql`(toUnixTimestamp64Micro(${end}) - toUnixTimestamp64Micro(${start})) / 1000`
  const provided = text(or(model, sql`${modelsOf(sql`summary`)}[1]`))
  const tags: Column = { type: 'list', sql: sql`JSONExtract(${rawAt(field('trace.tags'))}, 'Array(String)')` }
  const columns = new Map<string, Column>([
    ['id', text(sql`id`)],
    ['traceId', text(sql`trace_id`)],
    ['parentObservationId', text(sql`parent_id`)],
    ['name', text(at('summary.weave.trace_name'))],
    ['type', text(sql`upper(${or(at('attributes.kind'), 'span')})`)],
    ['level', text(sql`multiIf(exception != '', 'ERROR', ${level} = '', 'DEFAULT', ${level})`)],
    ['environment', text(or(sent('environment'), 'default'))],
    ['release', text(sent('release'))],
    ['version', text(sent('version'))],
    ['userId', text(at('attributes.user_id'))],
    ['sessionId', text(sql`thread_id`)],
    ['providedModelName', provided],
    ['model', provided],
    ['promptName', text(sent('observation.prompt.name'))],
    ['promptVersion', number(sql`toFloat64OrNull(${sent('observation.prompt.version')})`)],
    ['statusMessage', text(or(sent('observation.status_message'), sql`exception`))],
    ['tags', tags],
    ['traceTags', tags],
    ['input', content(sql`inputs`, 'input')],
    ['output', content(sql`output`, 'output')],
    ['traceName', text(sent('trace.name'))],
    ['isRootObservation', { type: 'bool', sql: sql`parent_id = ''` }],
    ['startTime', { type: 'time', sql: sql`started_at` }],
    ['endTime', { type: 'time', sql: sql`nullIf(ended_at, ${EPOCH})` }],
    ['startTimeMonth', text(sql`formatDateTime(started_at, '%Y-%m', 'UTC')`)],
    ['latency', number(LATENCY_MS)],
    ['inputTokens', number(tokens(PROMPT))],
    ['outputTokens', number(tokens(COMPLETION))],
    ['totalTokens', number(tokens(TOTAL))],
    ['tokens', number(tokens(TOTAL))],
    ['tokensPerSecond', number(sql`${tokens(TOTAL)} / ${SECONDS}`)],
    ['outputTokensPerSecond', number(sql`${tokens(COMPLETION)} / ${SECONDS}`)],
    ['timeToFirstToken', number(until(answered, sql`started_at`))],
    ['streamingLatency', number(until(sql`nullIf(ended_at, ${EPOCH})`, answered))],
  ])
  const metadata = (key: string) => or(sent(`observation.metadata.${key}`), sent(`trace.metadata.${key}`))
  return { columns, metadata }
}

const OF_TRACES = ['release', 'version', 'environment', 'userId', 'sessionId', 'tags', 'level', 'latency']

/** The columns of root calls as traces. @param project `entity/project` */
export function traceColumns(project: string, read = readBy(project)): Required<Columns> {
  const { columns, metadata } = callColumns(project, read)
  const named = columns.get('traceName')!.sql
  const all = new Map<string, Column>([
    ...OF_TRACES.map((name): [string, Column] => [name, columns.get(name)!]),
    ['id', columns.get('traceId')!],
    ['name', text(sql`if(${named} = '', ${columns.get('name')!.sql}, ${named})`)],
    ['timestamp', columns.get('startTime')!],
    ['timestampMonth', columns.get('startTimeMonth')!],
  ])
  return { columns: all, metadata }
}
