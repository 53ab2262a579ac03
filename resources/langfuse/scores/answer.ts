/** Scores as Langfuse's SDKs read them, made of feedback. Pure. */
import type { LangfuseScore, LangfuseScoreV3 } from '../../../contract/langfuse-scores.js'
import type { LangfuseScore as Stored } from '../../../domain/feedback/langfuse-score.js'
import { LANGFUSE_TYPE } from '../../../domain/feedback/langfuse-score.js'
import { isObject } from '../../../platform/json/object.js'
import { isoOfMicros } from '../../../platform/time/iso.js'
import type { ScoreRow } from './list.js'

/** What a payload may lack that older versions and importers wrote. */
type Payload = Partial<Stored>

/** The groups of fields that a caller may ask for. */
export const GROUPS = ['details', 'subject', 'annotation'] as const

/** What is known of a row's trace: of its own payload, else of the call. */
export type TraceOf = (row: ScoreRow) => string | undefined

/** The payload of a row. */
export function payloadOf({ payload }: ScoreRow): Payload {
  const value: unknown = JSON.parse(payload)
  return isObject(value) ? (value as Payload) : {}
}

function common(project: string, row: ScoreRow, payload: Payload) {
  const { value } = payload
  return {
    id: payload.id ?? row.id,
    projectId: project,
    name: row.feedback_type.slice(LANGFUSE_TYPE.length),
    dataType: payload.dataType ?? (typeof value === 'string' ? 'CATEGORICAL' : 'NUMERIC'),
    source: payload.source ?? 'API',
    timestamp: isoOfMicros(row.created),
    createdAt: isoOfMicros(row.created),
    updatedAt: isoOfMicros(row.changed || row.created),
    environment: payload.environment ?? 'default',
  }
}

function details({ comment, metadata, configId }: Payload) {
  return { comment: comment ?? null, metadata: metadata ?? {}, configId: configId ?? null }
}

/** A score of the older routes: numbers for values, and texts beside them. */
export function scoreAnswer(project: string, row: ScoreRow, traceOf: TraceOf): LangfuseScore {
  const payload = payloadOf(row)
  const { value = 0, number = 0, sessionId, datasetRunId, queueId } = payload
  const traceId = traceOf(row)
  const same = common(project, row, payload)
  const isBoolean = same.dataType === 'BOOLEAN'
  return {
    ...same,
    ...details(payload),
    traceId: traceId ?? null,
    observationId: observationOf(row, payload) ?? null,
    ...{ sessionId: sessionId ?? null, datasetRunId: datasetRunId ?? null },
    ...{ queueId: queueId ?? null, authorUserId: row.user_id },
    value: typeof value === 'string' ? number : value,
    trace: { environment: same.environment },
    stringValue: isBoolean ? (value === 1 ? 'True' : 'False') : typeof value === 'string' ? value : null,
  }
}

/** A score of the newest route: its value as it is, and the groups that are asked for. */
export function scoreV3Answer(
  project: string,
  row: ScoreRow,
  traceOf: TraceOf,
  groups: ReadonlySet<string>,
): LangfuseScoreV3 {
  const payload = payloadOf(row)
  const same = common(project, row, payload)
  const { value = 0, queueId } = payload
  return {
    ...same,
    value: same.dataType === 'BOOLEAN' ? value === 1 : value,
    ...(groups.has('details') && details(payload)),
    ...(groups.has('annotation') && { authorUserId: row.user_id, queueId: queueId ?? null }),
    ...(groups.has('subject') && { subject: subjectOf(row, payload, traceOf(row)) }),
  }
}

/**
 * Of a score without a trace of its own the call may be the root of one; it's the same call. `SCORE_OBSERVATION` says the same
 * in SQL.
 */
function observationOf({ call_id }: ScoreRow, { id, observationId }: Payload): string | undefined {
  return observationId ?? (id === undefined ? call_id : undefined)
}

function subjectOf(row: ScoreRow, payload: Payload, traceId: string | undefined) {
  const { sessionId, datasetRunId } = payload
  if (sessionId) return { kind: 'session' as const, id: sessionId }
  if (datasetRunId) return { kind: 'experiment' as const, id: datasetRunId }
  const observation = observationOf(row, payload)
  if (!observation) return { kind: 'trace' as const, id: traceId ?? '' }
  return { kind: 'observation' as const, id: observation, ...(traceId !== undefined && { traceId }) }
}
