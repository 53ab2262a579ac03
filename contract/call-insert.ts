/**
 * A call as clients send it: its start, its end, or both. These schemas give the types and the OpenAPI; the hot path
 * (`ingest/calls`) checks bodies by hand on their bytes, and a test keeps the two consistent. Fields have their
 * canonical names here; the reader also accepts aliases.
 */
import { z } from 'zod'
import { isStorableTime, microsOf } from '../platform/time/micros.js'
import { DISPLAY_NAME_LIMIT, isId, isOpName, isWithin, RUN_ID_LIMIT, THREAD_ID_LIMIT } from './limits.js'
import { component, openComponent, orNull, projectId, userIdIn } from './shared.js'
import { type CountName, SENT_NAMES } from './usage-counts.js'

const id = z
  .string()
  .refine((text) => isId(text), 'Should be 1 to 128 characters, none of them a control character')
/** Clients write unset as null or "". */
const idOrUnset = (limit?: number) =>
  orNull(
    z.string().refine((text) => text === '' || isId(text, limit), 'Is too long or has control characters'),
  )
const time = z
  .string()
  .refine((text) => isStorableTime(microsOf(text)), 'Should be an ISO 8601 time between 1970 and 2255')
  .meta({ format: 'date-time', description: 'ISO 8601; without an offset it is UTC' })
const opName = z
  .string()
  .refine(isOpName, 'Should be a name of at most 128 characters or the ref of an op')
  .describe('a plain name, or weave:///entity/project/op/name:digest')
/** A name chosen by a user; null and "" mean none. */
export const displayName = orNull(
  z.string().refine((text) => isWithin(text, DISPLAY_NAME_LIMIT), 'Should be at most 1024 characters'),
)
const userData = z.record(z.string(), z.unknown())
const runId = idOrUnset(RUN_ID_LIMIT)
/** Longer ones are cut after 512 characters. */
const label = (description?: string) => {
  const text = orNull(z.string())
  return description === undefined ? text : text.describe(description)
}
const step = orNull(z.int())

const TraceStatus = z.enum(['success', 'error', 'running', 'descendant_error']).meta({ id: 'TraceStatus' })

const tokens = z.int().nullish()

const LLMUsageSchema = openComponent(
  'LLMUsageSchema',
  Object.fromEntries(SENT_NAMES.map((name) => [name, tokens])) as Record<CountName, typeof tokens>,
)

const SummaryInsertMap = openComponent(
  'SummaryInsertMap',
  {
    usage: z.record(z.string(), LLMUsageSchema).optional(),
    status_counts: z.partialRecord(TraceStatus, z.int()).optional(),
  },
  { description: 'any JSON object; its key "weave" is ignored, since reads compute it' },
)

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
  otel_dump: orNull(userData),
  platform_user_id: userIdIn,
  platform_run_id: runId,
  platform_run_step: step,
  environment: label('for instance production; default: what the attributes say, as of the others below'),
  release: label('of the program'),
  version: label('of the part of the program that makes the call'),
  prompt_name: label(),
  prompt_version: label(),
}

export const StartedCallSchemaForInsert = component('StartedCallSchemaForInsert', {
  ...startSide,
  id: orNull(id),
  trace_id: orNull(id),
})

const endSide = {
  ended_at: time,
  exception: orNull(z.string()),
  output: z.unknown().optional(),
  summary: SummaryInsertMap,
  platform_run_step_end: step,
}

const ended = {
  ...endSide,
  project_id: projectId,
  id,
  trace_id: idOrUnset(),
  is_eval: orNull(z.boolean()),
  started_at: orNull(time),
}

export const EndedCallSchemaForInsert = component('EndedCallSchemaForInsert', ended)

export const EndedCallSchemaForInsertWithStartedAt = component('EndedCallSchemaForInsertWithStartedAt', ended)

export const CompletedCallSchemaForInsert = component('CompletedCallSchemaForInsert', {
  ...startSide,
  ...endSide,
  id,
  trace_id: id,
})
