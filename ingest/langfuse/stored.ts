/** What earlier batches of Langfuse's ingestion left of traces and observations: read back from their spans. */
import { callsInParts } from '../../domain/calls/calls-of.js'
import { OTEL_SPAN } from '../../domain/calls/otel-span.js'
import { everyRow, visible } from '../../domain/calls/read/visible.js'
import type { Observation, Trace } from '../../domain/imports/langfuse.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { isoOfMicros } from '../../platform/time/iso.js'

/** A call that may be stored. `traceId`: undefined where the batch does not say */
export interface LangfuseCall {
  id: string
  traceId: string | undefined
}

/** Whether a row of the call may have been written within the last seconds. @param projectId internal */
export type MayBeNew = (projectId: string, call: LangfuseCall) => boolean

/** A stored call, as far as it may be Langfuse's. */
export interface StoredRow {
  id: string
  trace_id: string
  parent_id: string
  started: number
  /** 0: it has not ended */
  ended: number
  text: string
}

/** A stored call, as a part of a trace or of an observation. */
export interface StoredCall {
  trace: Partial<Trace>
  observation: Partial<Observation>
  /** µs since the epoch */
  ended: number
}

/** Characters of stored calls that one batch may change. */
const MOST_STORED = 64 << 20

/**
 * What is stored of `calls`. Most batches begin what they tell of: they must not make the embedded engine bring its log into
 * the table for each of them.
 * @param projectId internal @throws `TOO_MANY` (413) if it is too large
 */
export async function storedRows(
  store: Store,
  projectId: string,
  calls: readonly LangfuseCall[],
  mayBeNew: MayBeNew,
): Promise<StoredRow[]> {
  if (calls.length === 0) return []
  const ids = sql`id IN ${bind.strings(calls.map(({ id }) => id))}`
  if (!calls.some((call) => mayBeNew(projectId, call))) {
    // The texts of rows cost ten times as much to ask for, even where there are none.
    const old = everyRow('calls', projectId, [ids], [], sql``, callsInParts)
    if ((await store.row(sql`SELECT 1 AS found ${old} LIMIT 1`)) === undefined) return []
  }
  const where = visible('calls', projectId, [ids])
  // Together with the lengths, so that a few rows are not read twice.
  const rows = await store.rows<StoredRow & { length: number }>(sql`
    SELECT * REPLACE (if(sum(length) OVER () > ${bind.uint(MOST_STORED)}, '', text) AS text) FROM (
      SELECT id, trace_id, parent_id, toUnixTimestamp64Micro(started_at) AS started,
        toUnixTimestamp64Micro(ended_at) AS ended, ${OTEL_SPAN} AS text, length(text) AS length
      ${where} ORDER BY ver DESC LIMIT 1 BY id)`)
  if (rows.reduce((sum, { length }) => sum + length, 0) > MOST_STORED)
    throw errors.tooMany('bytes of stored observations', MOST_STORED)
  return rows
}

type Tree = { [key: string]: Tree | undefined }

/** What a row says. */
export function storedCall({ trace_id, parent_id, started, ended, text }: StoredRow): StoredCall {
  const span = JSON.parse(text === '' ? '{}' : text) as { name?: string; attributes?: { langfuse?: Tree } }
  const { observation: own = {}, trace = {}, ...shared } = span.attributes?.langfuse ?? {}
  // Values are of any kind, so that nothing more is known of the tree.
  const said = (value: unknown) => value as never
  const both = {
    name: span.name,
    sessionId: said(shared.session?.id),
    userId: said(shared.user?.id),
    version: said(shared.version),
    environment: said(shared.environment),
  }
  return {
    ended,
    trace: {
      ...both,
      timestamp: isoOfMicros(started),
      input: trace.input,
      output: trace.output,
      metadata: trace.metadata,
      tags: said(trace.tags),
      release: said(shared.release),
    },
    observation: {
      ...both,
      traceId: trace_id,
      parentObservationId: parent_id || null,
      startTime: isoOfMicros(started),
      endTime: ended > 0 ? isoOfMicros(ended) : null,
      input: own.input,
      output: own.output,
      metadata: own.metadata,
      type: said(own.type),
      level: said(own.level),
      statusMessage: said(own.status_message),
      model: said(own.model?.name),
      modelParameters: own.model?.parameters,
      usageDetails: said(own.usage_details),
      costDetails: said(own.cost_details),
      completionStartTime: said(own.completion_start_time),
      promptName: said(own.prompt?.name),
      promptVersion: said(own.prompt?.version),
    },
  }
}
