/**
 * A call as clients write it: its start, its end, or all of it. These are the types and the OpenAPI; the hot path
 * (`ingest/calls`) checks bodies by hand on their bytes, and a test holds the two together. Fields have their
 * canonical names here; that aliases are taken too is the reader's business.
 */
import { z } from 'zod'
import { isStorableTime, microsOf } from '../platform/time/micros.js'
import { DISPLAY_NAME_LIMIT, isId, isOpName, isWithin, RUN_ID_LIMIT, THREAD_ID_LIMIT } from './limits.js'
import { projectId, userIdIn } from './shared.js'
import { type CountName, SENT_NAMES } from './usage-counts.js'

const id = z
  .string()
  .refine((text) => isId(text), 'Should be 1 to 128 characters, none of them a control character')
const nullable = <T extends z.ZodType>(type: T) => type.nullable().default(null)
/** Unset is written null or "". */
const idOrUnset = (limit?: number) =>
  nullable(
    z.string().refine((text) => text === '' || isId(text, limit), 'Is too long, or has a control character'),
  )
const time = z
  .string()
  .refine((text) => isStorableTime(microsOf(text)), 'Should be an ISO 8601 time between 1970 and 2255')
  .meta({ format: 'date-time', description: 'ISO 8601; without an offset it is UTC' })
const opName = z
  .string()
  .refine(isOpName, 'Should be a name of at most 128 characters or the ref of an op')
  .meta({ description: 'a plain name, or weave:///entity/project/op/name:digest' })
/** A name that a user chose; null and "" mean none. */
export const displayName = nullable(
  z.string().refine((text) => isWithin(text, DISPLAY_NAME_LIMIT), 'Should be at most 1024 characters'),
)
const userData = z.record(z.string(), z.unknown())
const runId = idOrUnset(RUN_ID_LIMIT)
const step = nullable(z.int())

const TraceStatus = z.enum(['success', 'error', 'running', 'descendant_error']).meta({ id: 'TraceStatus' })

const tokens = z.int().nullable().optional()

const LLMUsageSchema = z
  .looseObject(
    Object.fromEntries(SENT_NAMES.map((name) => [name, tokens])) as Record<CountName, typeof tokens>,
  )
  .meta({ id: 'LLMUsageSchema' })

const SummaryInsertMap = z
  .looseObject({
    usage: z.record(z.string(), LLMUsageSchema).optional(),
    status_counts: z.partialRecord(TraceStatus, z.int()).optional(),
  })
  .meta({
    id: 'SummaryInsertMap',
    description: 'Any JSON object; its key "weave" is dropped: it is derived at read time.',
  })

const startSide = {
  project_id: projectId,
  op_name: opName,
  display_name: displayName,
  parent_id: idOrUnset(),
  thread_id: idOrUnset(THREAD_ID_LIMIT),
  turn_id: idOrUnset(),
  started_at: time,
  attributes: userData,
  inputs: userData,
  otel_dump: nullable(userData),
  platform_user_id: userIdIn,
  platform_run_id: runId,
  platform_run_step: step,
}

export const StartedCallSchemaForInsert = z
  .object({ ...startSide, id: nullable(id), trace_id: nullable(id) })
  .meta({ id: 'StartedCallSchemaForInsert' })

const endSide = {
  ended_at: time,
  exception: nullable(z.string()),
  output: z.unknown().optional(),
  summary: SummaryInsertMap,
  platform_run_step_end: step,
}

const ended = {
  ...endSide,
  project_id: projectId,
  id,
  trace_id: idOrUnset(),
  is_eval: nullable(z.boolean()),
  started_at: nullable(time),
}

export const EndedCallSchemaForInsert = z.object(ended).meta({ id: 'EndedCallSchemaForInsert' })

export const EndedCallSchemaForInsertWithStartedAt = z
  .object(ended)
  .meta({ id: 'EndedCallSchemaForInsertWithStartedAt' })

export const CompletedCallSchemaForInsert = z
  .object({ ...startSide, ...endSide, id, trace_id: id })
  .meta({ id: 'CompletedCallSchemaForInsert' })
