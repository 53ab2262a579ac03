import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { filterText } from './langfuse-filter.js'
import { LangfusePage, langfuseRead, langfuseWrite, numberedPage } from './langfuse-shared.js'
import { component, many, shortText, timeOut } from './shared.js'

const any = z.unknown().optional()
const time = z.iso.datetime({ offset: true }).optional()
const text = shortText.optional()
const Level = z.enum(['DEBUG', 'DEFAULT', 'WARNING', 'ERROR'])

const counts = z.record(z.string(), z.number())

const Observation = component('LangfuseObservation', {
  id: z.string(),
  traceId: z.string(),
  projectId: z.string(),
  parentObservationId: z.string().nullable(),
  isRootObservation: z.boolean(),
  type: z.string(),
  name: z.string().nullable(),
  startTime: timeOut,
  endTime: timeOut.nullable(),
  completionStartTime: timeOut.nullable(),
  level: Level,
  statusMessage: z.string().nullable(),
  environment: z.string(),
  version: z.string().nullable(),
  userId: z.string().nullable(),
  sessionId: z.string().nullable(),
  model: z.string().nullable(),
  modelParameters: any,
  input: any,
  output: any,
  metadata: z.record(z.string(), z.unknown()),
  usageDetails: counts,
  costDetails: counts,
  totalCost: z.number(),
  usage: z.object({ input: z.number(), output: z.number(), total: z.number(), unit: z.string() }),
  latency: z.number().nullable().describe('seconds'),
  timeToFirstToken: z.number().nullable().describe('seconds'),
  promptName: z.string().nullable(),
  promptVersion: z.int().nullable(),
})
export type LangfuseObservation = z.output<typeof Observation>

/** What a list by cursor has beside that, in groups of fields that it may be asked for. */
const observationMore = {
  createdAt: timeOut.describe('when it began'),
  updatedAt: timeOut.describe('when it ended, or began'),
  tags: z.array(z.string()).describe('of its trace'),
  release: z.string().nullable(),
  traceName: z.string().nullable(),
}
export type LangfuseObservationMore = z.output<z.ZodObject<typeof observationMore>>

const trace = {
  id: z.string(),
  projectId: z.string(),
  name: z.string().nullable(),
  timestamp: timeOut,
  input: any,
  output: any,
  metadata: z.record(z.string(), z.unknown()),
  sessionId: z.string().nullable(),
  userId: z.string().nullable(),
  release: z.string().nullable(),
  version: z.string().nullable(),
  environment: z.string(),
  tags: z.array(z.string()),
  public: z.boolean(),
  htmlPath: z.string(),
  latency: z.number().nullable().describe('seconds'),
}
const Trace = component('LangfuseTrace', {
  ...trace,
  totalCost: z.number(),
  observations: z.array(z.string()).describe('ids; at most 10,000 of all traces of a page'),
  scores: z.array(z.string()).describe('ids'),
})
export type LangfuseTrace = z.output<typeof Trace>

const traceFilters = z.object({
  ...numberedPage,
  userId: text,
  name: text,
  sessionId: text,
  fromTimestamp: time,
  toTimestamp: time,
  orderBy: z
    .string()
    .regex(
      /^(timestamp|name|id|userId|sessionId|release|version)\.(asc|desc)$/,
      'Should be timestamp, name, id, userId, sessionId, release or version, and .asc or .desc',
    )
    .default('timestamp.desc'),
  version: text,
  release: text,
  environment: many,
  fields: text.describe('ignored: all are returned'),
  tags: many,
  filter: filterText,
})
export type TraceQuery = z.output<typeof traceFilters>

export const langfuseTraces = route({
  ...langfuseRead,
  id: 'langfuse_traces',
  path: '/api/public/traces',
  summary: 'List traces, unless another order is asked for the newest first',
  query: traceFilters,
  answer: component('LangfuseTraces', { data: z.array(Trace), meta: LangfusePage }),
})

export const langfuseTrace = route({
  ...langfuseRead,
  id: 'langfuse_trace',
  path: '/api/public/traces/{trace_id}',
  summary: 'Read a trace with its observations and scores',
  params: z.object({ trace_id: shortText.min(1) }),
  query: z.object({ fields: text.describe('ignored: all are returned') }),
  answer: component('LangfuseWholeTrace', {
    ...trace,
    totalCost: z.number(),
    observations: z.array(Observation),
    scores: z.array(z.object({ id: z.string(), name: z.string() }).loose()),
  }),
})

/** Traces that one request may delete. */
const MOST_DELETED = 1000
const deletes = { ...langfuseWrite, method: 'DELETE' } as const

export const langfuseTraceDelete = route({
  ...deletes,
  id: 'langfuse_trace_delete',
  audit: { category: 'deletion', names: ['params.trace_id'] },
  path: '/api/public/traces/{trace_id}',
  summary: 'Delete a trace with its observations',
  params: z.object({ trace_id: shortText.min(1) }),
  answer: component('LangfuseTraceDeleted', { message: z.literal('Trace deleted successfully') }),
})

export const langfuseTracesDelete = route({
  ...deletes,
  id: 'langfuse_traces_delete',
  audit: { category: 'deletion', names: ['body.traceIds'] },
  path: '/api/public/traces',
  summary: 'Delete traces with their observations',
  body: z.object({ traceIds: z.array(shortText.min(1)).max(MOST_DELETED) }),
  answer: component('LangfuseTracesDeleted', { message: z.literal('Traces deleted successfully') }),
})

const observed = {
  name: text,
  userId: text,
  sessionId: text,
  type: text,
  traceId: text,
  level: Level.optional(),
  parentObservationId: text,
  environment: many,
  fromStartTime: time,
  toStartTime: time,
  version: text,
  filter: filterText,
}
const numberedObservations = z.object({ ...numberedPage, ...observed })
const observationsByCursor = z.object({
  ...observed,
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  cursor: text,
  isRootObservation: z.stringbool().optional(),
  fields: text.describe(
    'groups: core, basic, time, io, metadata, model, usage, prompt, metrics, trace_context; default: core,basic',
  ),
  expandMetadata: text.describe('ignored: metadata is whole'),
  parseIoAsJson: text.describe('ignored: values are JSON'),
})
export type ObservationQuery = z.output<z.ZodObject<typeof observed>>

export const langfuseObservations = route({
  ...langfuseRead,
  id: 'langfuse_observations',
  path: '/api/public/observations',
  summary: 'List observations, the newest first',
  query: numberedObservations,
  answer: component('LangfuseObservations', { data: z.array(Observation), meta: LangfusePage }),
})

export const langfuseObservationsV2 = route({
  ...langfuseRead,
  id: 'langfuse_observations_v2',
  path: '/api/public/v2/observations',
  summary: 'List observations, the newest first, by a cursor',
  query: observationsByCursor,
  answer: component('LangfuseObservationsV2', {
    data: z.array(Observation.extend(observationMore).partial()),
    meta: z.object({ cursor: z.string().optional() }),
  }),
})

export const langfuseObservation = route({
  ...langfuseRead,
  id: 'langfuse_observation',
  path: '/api/public/observations/{observation_id}',
  summary: 'Read an observation',
  params: z.object({ observation_id: shortText.min(1) }),
  answer: Observation,
})

const Session = component('LangfuseSession', {
  id: z.string(),
  projectId: z.string(),
  createdAt: timeOut,
  environment: z.string(),
})

const sessionFilters = z.object({
  ...numberedPage,
  fromTimestamp: time,
  toTimestamp: time,
  environment: many,
})
export type SessionQuery = z.output<typeof sessionFilters>

export const langfuseSessions = route({
  ...langfuseRead,
  id: 'langfuse_sessions',
  path: '/api/public/sessions',
  summary: 'List sessions, the newest first',
  query: sessionFilters,
  answer: component('LangfuseSessions', { data: z.array(Session), meta: LangfusePage }),
})

export const langfuseSession = route({
  ...langfuseRead,
  id: 'langfuse_session',
  path: '/api/public/sessions/{session_id}',
  summary: 'Read a session with its traces',
  params: z.object({ session_id: shortText.min(1) }),
  answer: component('LangfuseWholeSession', {
    ...{ id: z.string(), projectId: z.string(), createdAt: timeOut, environment: z.string() },
    traces: z.array(z.object(trace)).describe('at most 1,000'),
  }),
})
