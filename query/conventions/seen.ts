/** What is understood of the newest spans of a project: looked up when it is asked for, so that writes pay nothing. */
import { OTEL_SPAN, SPAN_COLUMNS } from '../../domain/calls/otel-span.js'
import { visible } from '../../domain/calls/read/visible.js'
import { type Part, type Seen, SeenAttributes } from '../../domain/conventions/seen.js'
import { bind, commaList, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'

/** Spans that are looked at, and the bytes of the largest: all of them are parsed at once. */
const SPANS = 200
const MAX_BYTES = 16_384

/** Whether a call has a part. */
const HAS: Readonly<Record<Part, Sql>> = {
  inputs: sql`inputs != '{}'`,
  output: sql`output != ''`,
  model: sql`JSONHas(attributes, 'model')`,
  usage: sql`summary != '{}'`,
  thread: sql`thread_id != ''`,
  user: sql`JSONHas(attributes, 'user_id')`,
}
const PARTS = Object.keys(HAS) as Part[]

interface Row {
  text: string
  parts: Part[]
}

function newestSpans(projectId: string): Sql {
  const columns = new Set([...SPAN_COLUMNS, 'attributes', 'summary', 'thread_id'])
  const parts = PARTS.map((part) => sql`if(${HAS[part]}, ${bind.string(part)}, '')`)
  return sql`SELECT text, parts FROM (
      SELECT ${OTEL_SPAN} AS text, arrayFilter(part -> part != '', [${commaList(parts)}]) AS parts FROM (
        SELECT ${commaList([...columns].map(ident))}
        ${visible('calls', projectId, [sql`span_kind > 0`])}
        ORDER BY started_at DESC LIMIT ${bind.uint(SPANS)}))
    WHERE length(text) <= ${bind.uint(MAX_BYTES)}`
}

/** @param project `entity/project` */
export async function seenIn(store: Store, project: string, options: StatementOptions = {}): Promise<Seen> {
  const seen = new SeenAttributes()
  for (const { text, parts } of await store.rows<Row>(newestSpans(projectIdOf(project)), options)) {
    const { attributes } = JSON.parse(text) as { attributes?: unknown }
    seen.add(attributes, parts)
  }
  return seen.result()
}
