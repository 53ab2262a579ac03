/** What is understood of the newest spans of a project: looked up when it is asked for, so that writes pay nothing. */
import { callsOf } from '../../domain/calls/calls-of.js'
import { OTEL_SPAN, SPAN_COLUMNS } from '../../domain/calls/otel-span.js'
import { type Seen, SeenAttributes } from '../../domain/conventions/seen.js'
import { bind, ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'

/** Spans that are looked at, and the bytes of the largest: all of them are parsed at once. */
const SPANS = 200
const MAX_BYTES = 16_384

interface Row {
  text: string
  asked: 0 | 1
  answered: 0 | 1
}

function newestSpans(projectId: string): Sql {
  return sql`SELECT text, asked, answered FROM (
      SELECT ${OTEL_SPAN} AS text, inputs != '{}' AS asked, output != '' AS answered FROM (
        SELECT ${join(SPAN_COLUMNS.map(ident), sql`, `)}
        FROM ${callsOf(projectId)} WHERE project_id = ${bind.string(projectId)} AND span_kind > 0
        ORDER BY started_at DESC LIMIT ${bind.uint(SPANS)}))
    WHERE length(text) <= ${bind.uint(MAX_BYTES)}`
}

/** @param project `entity/project` */
export async function seenIn(store: Store, project: string, options: StatementOptions = {}): Promise<Seen> {
  const seen = new SeenAttributes()
  for (const { text, asked, answered } of await store.rows<Row>(newestSpans(projectIdOf(project)), options)) {
    const { attributes } = JSON.parse(text) as { attributes?: unknown }
    seen.add(attributes, [...(asked ? ['inputs'] : []), ...(answered ? ['output'] : [])])
  }
  return seen.result()
}
