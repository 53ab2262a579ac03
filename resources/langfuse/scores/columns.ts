/** The columns of scores in Langfuse's queries: what feedback holds of them. Pure. */
import { LANGFUSE_TYPE } from '../../../domain/feedback/langfuse-score.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import type { Column, Columns } from '../query/column.js'

/** A text of a score's payload; '' if it is not there. */
export const payloadText = (name: string) => sql`JSONExtractString(payload, ${bind.string(name)})`

/** A text of a score's payload, or what it is by default. */
export const textOr = (name: string, fallback: string) =>
  sql`if(${payloadText(name)} = '', ${bind.string(fallback)}, ${payloadText(name)})`

/** The type of a score; of one that doesn't say it, by its value. */
export const TYPE_OF_SCORE = sql`if(${payloadText('dataType')} = '', if(JSONType(payload, 'value') = 'String', 'CATEGORICAL', 'NUMERIC'), ${payloadText('dataType')})`

/** Of one whose value is a text, 0. */
export const SCORE_NUMBER = sql`JSONExtractFloat(payload, 'value')`

/** The observation that a score is about, '' for none. As `observationOf` of `answer.ts` says it. */
export const SCORE_OBSERVATION = sql`multiIf(${payloadText('observationId')} != '', ${payloadText('observationId')}, ${payloadText('id')} = '', call_id, '')`

const text = (column: Sql): Column => ({ type: 'text', sql: column })

export const SCORE_COLUMNS: Required<Columns> = {
  columns: new Map<string, Column>([
    ['id', text(payloadText('id'))],
    ['name', text(sql`substring(canonical_type, ${bind.uint(LANGFUSE_TYPE.length + 1)})`)],
    ['source', text(textOr('source', 'API'))],
    ['dataType', text(TYPE_OF_SCORE)],
    ['environment', text(textOr('environment', 'default'))],
    ['configId', text(payloadText('configId'))],
    ['traceId', text(payloadText('traceId'))],
    ['observationId', text(SCORE_OBSERVATION)],
    ['sessionId', text(payloadText('sessionId'))],
    ['userId', text(sql`user_id`)],
    ['timestamp', { type: 'time', sql: sql`created_at` }],
    ['value', { type: 'number', sql: SCORE_NUMBER }],
    ['stringValue', text(payloadText('value'))],
  ]),
  metadata: (key) => {
    const at = sql`payload, 'metadata', ${bind.string(key)}`
    return sql`if(JSONType(${at}) = 'String', JSONExtractString(${at}), JSONExtractRaw(${at}))`
  },
}
