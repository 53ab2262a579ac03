import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { filterText } from './langfuse-filter.js'
import { LangfusePage, langfuseRead, langfuseWrite, numberedPage } from './langfuse-shared.js'
import { component, longText, many, maybe, shortText, timeOut } from './shared.js'

const id = shortText.min(1).max(1000)
const DataType = z.enum(['NUMERIC', 'BOOLEAN', 'CATEGORICAL', 'TEXT', 'CORRECTION'])
const Source = z.enum(['API', 'ANNOTATION', 'EVAL'])
export type ScoreDataType = z.output<typeof DataType>

/** A score as the SDKs send it, alone, in a list, or in an event. */
export const LangfuseScoreIn = component('LangfuseScoreIn', {
  id: maybe(id).describe('default: generated; a score with an existing id replaces it'),
  traceId: maybe(id),
  observationId: maybe(id),
  sessionId: maybe(id),
  datasetRunId: maybe(id),
  name: z.string().min(1).max(500),
  value: z.union([z.number(), z.boolean(), longText]),
  dataType: maybe(DataType).describe('default: by the config, else by the value'),
  comment: maybe(longText),
  metadata: z.unknown().optional(),
  environment: maybe(shortText).describe('default: default'),
  configId: maybe(id),
  queueId: maybe(id),
  source: maybe(Source).describe('default: API'),
  timestamp: maybe(z.iso.datetime({ offset: true })).describe('default: now'),
})
export type LangfuseScoreIn = z.output<typeof LangfuseScoreIn>

export const langfuseScoreCreate = route({
  ...langfuseWrite,
  id: 'langfuse_score_create',
  path: '/api/public/scores',
  summary: 'Store a score, or a list of scores',
  body: z.union([LangfuseScoreIn, z.array(z.unknown()).max(10_000).describe('scores')], {
    error: 'Should be a score, with a name, a value and what it is about, or a list of scores',
  }),
  answer: z.object({
    id: z.string().optional().describe('of a single score'),
    message: z.string().optional().describe('202: all of a list are stored'),
    accepted: z.int().optional().describe('207: how many of a list are stored'),
    rejected: z.int().optional(),
    errors: z.array(z.object({ message: z.string() })).optional(),
  }),
})

const scoreOut = {
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  dataType: DataType,
  source: Source,
  timestamp: timeOut,
  createdAt: timeOut,
  updatedAt: timeOut,
  environment: z.string(),
  comment: z.string().nullable().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  configId: z.string().nullable().optional(),
  queueId: z.string().nullable().optional(),
  authorUserId: z.string().nullable().optional(),
}

const Score = component('LangfuseScore', {
  ...scoreOut,
  traceId: z.string().nullable(),
  observationId: z.string().nullable(),
  sessionId: z.string().nullable(),
  datasetRunId: z.string().nullable(),
  value: z.number().describe('of a category, its number in the config; 0: none'),
  stringValue: z.string().nullable(),
  trace: z.object({ environment: z.string() }).describe('what is known of its trace'),
})
export type LangfuseScore = z.output<typeof Score>

const time = z.iso.datetime({ offset: true }).optional()
/** Alternatives, separated by commas. */
const some = shortText
  .transform((list) => list.split(','))
  .optional()
  .meta({ type: 'string', description: 'one, or several with commas between' })
const times = { fromTimestamp: time, toTimestamp: time }

const numberedFilters = z.object({
  ...numberedPage,
  ...times,
  name: shortText.optional(),
  scoreIds: some,
  traceId: shortText.optional(),
  observationId: some,
  sessionId: shortText.optional(),
  datasetRunId: shortText.optional(),
  configId: shortText.optional(),
  queueId: shortText.optional(),
  source: shortText.optional(),
  dataType: DataType.optional(),
  environment: z.union([shortText, z.array(shortText).max(100)]).optional(),
  operator: z.enum(['<', '>', '<=', '>=', '!=', '=']).optional(),
  value: z.coerce.number().optional(),
  userId: shortText.optional().describe('of the trace'),
  traceTags: many.describe('the trace has all of them'),
  filter: filterText,
})
export type NumberedScoreQuery = z.output<typeof numberedFilters>

export const langfuseScores = route({
  ...langfuseRead,
  id: 'langfuse_scores',
  path: '/api/public/v2/scores',
  aliases: ['/api/public/scores'],
  summary: 'List scores, the newest first',
  query: numberedFilters,
  answer: component('LangfuseScores', { data: z.array(Score), meta: LangfusePage }),
})

const byId = z.object({ score_id: id })

export const langfuseScore = route({
  ...langfuseRead,
  id: 'langfuse_score',
  path: '/api/public/v2/scores/{score_id}',
  aliases: ['/api/public/scores/{score_id}'],
  summary: 'Read a score',
  params: byId,
  answer: Score,
})

export const langfuseScoreDelete = route({
  ...langfuseWrite,
  method: 'DELETE',
  id: 'langfuse_score_delete',
  audit: { category: 'deletion', names: ['params.score_id'] },
  path: '/api/public/scores/{score_id}',
  summary: 'Delete a score',
  params: byId,
  answer: component('LangfuseScoreDeleted', { message: z.string() }),
})

const cursorFilters = z.object({
  limit: numberedPage.limit,
  cursor: shortText.optional(),
  fields: some.describe('beside the always returned ones: details, subject, annotation'),
  ...times,
  id: some,
  name: some,
  source: some,
  dataType: some,
  environment: some,
  configId: some,
  queueId: some,
  authorUserId: some,
  value: some,
  valueMin: z.coerce.number().optional(),
  valueMax: z.coerce.number().optional(),
  traceId: some,
  sessionId: some,
  observationId: some,
  experimentId: some,
})
export type CursorScoreQuery = z.output<typeof cursorFilters>

const ScoreV3 = component('LangfuseScoreV3', {
  ...scoreOut,
  value: z.union([z.number(), z.boolean(), z.string()]),
  subject: z
    .object({
      kind: z.enum(['trace', 'observation', 'session', 'experiment']),
      id: z.string(),
      traceId: z.string().optional(),
    })
    .optional(),
})
export type LangfuseScoreV3 = z.output<typeof ScoreV3>

export const langfuseScoresV3 = route({
  ...langfuseRead,
  id: 'langfuse_scores_v3',
  path: '/api/public/v3/scores',
  summary: 'List scores, the newest first, by a cursor',
  query: cursorFilters,
  answer: component('LangfuseScoresV3', {
    data: z.array(ScoreV3),
    meta: z.object({ limit: z.int(), cursor: z.string().optional() }),
  }),
})
