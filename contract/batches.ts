import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, maybe } from './shared.js'
import { orderQuery, pageOf, pageQuery } from './training-shared.js'

/** The routes whose requests a batch may have. */
const BATCH_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/responses',
] as const

const files = { tag: 'files', access: 'read', project: 'none' } as const
const batches = { tag: 'batches', access: 'read', project: 'none' } as const

const DAY = 86_400
/** How long files are kept that don't say it, and at most. */
export const MOST_SECONDS = 30 * DAY
const keptSeconds = z.coerce.number().int().min(3600).max(MOST_SECONDS)

/** Most bytes of an input file, including its form. */
const FILE_LIMIT = 64 * 2 ** 20

const fileInPath = { file_id: z.string().min(1).max(200) }
const batchInPath = { batch_id: z.string().min(1).max(200) }
const seconds = z.int().describe('Unix seconds')

const BatchFile = component('File', {
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  created_at: seconds,
  expires_at: seconds,
  filename: z.string(),
  purpose: z.enum(['batch', 'batch_output']),
  status: z.literal('processed'),
})

export const createFile = route({
  ...files,
  id: 'create_file',
  method: 'POST',
  path: '/v1/files',
  summary: 'Store the input of a batch: JSON lines',
  raw: true,
  consumes: ['multipart/form-data'],
  maxBytes: FILE_LIMIT,
  body: z.object({
    file: z.string().meta({ contentMediaType: 'application/octet-stream' }),
    purpose: z.literal('batch', 'Should be batch: files have no other purpose here'),
    'expires_after[anchor]': z.literal('created_at').optional(),
    'expires_after[seconds]': keptSeconds.optional().describe('default: 30 days'),
  }),
  answer: BatchFile,
})

export const listFiles = route({
  ...files,
  id: 'list_files',
  method: 'GET',
  path: '/v1/files',
  summary: 'List the files of this key and of those with the same rights',
  query: z.object({
    purpose: z.string().max(100).optional(),
    after: pageQuery.after,
    limit: z.coerce.number().int().min(1).max(10_000).default(1000),
    order: orderQuery('desc'),
  }),
  answer: pageOf(BatchFile, 'FilePage'),
})

export const getFile = route({
  ...files,
  id: 'get_file',
  method: 'GET',
  path: '/v1/files/{file_id}',
  summary: 'Read what is known of a file',
  params: z.object(fileInPath),
  answer: BatchFile,
})

export const getFileContent = route({
  ...files,
  id: 'get_file_content',
  method: 'GET',
  path: '/v1/files/{file_id}/content',
  summary: 'Read the content of a file',
  params: z.object(fileInPath),
  answer: z.string().meta({ contentMediaType: 'application/octet-stream' }),
  produces: 'application/octet-stream',
})

export const deleteFile = route({
  ...files,
  id: 'delete_file',
  audit: { category: 'deletion', names: ['params.file_id'] },
  method: 'DELETE',
  path: '/v1/files/{file_id}',
  summary: 'Delete a file for good',
  params: z.object(fileInPath),
  answer: component('FileDeleted', { id: z.string(), object: z.literal('file'), deleted: z.literal(true) }),
})

const status = z.enum([
  'validating',
  'in_progress',
  'cancelling',
  'completed',
  'failed',
  'expired',
  'cancelled',
])
const metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((value) => Object.keys(value).length <= 16, 'Should have at most 16 keys')
const secondsOrNull = seconds.nullable()

const Batch = component('Batch', {
  id: z.string(),
  object: z.literal('batch'),
  endpoint: z.string(),
  input_file_id: z.string(),
  completion_window: z.literal('24h'),
  status,
  errors: z
    .object({
      object: z.literal('list'),
      data: z.array(
        z.object({
          code: z.string(),
          message: z.string(),
          param: z.string().nullable(),
          line: z.int().nullable(),
        }),
      ),
    })
    .nullable()
    .describe('why all of it failed; what is wrong with a line is in the errors file'),
  output_file_id: z.string().nullable().describe('the answers, once it has ended'),
  error_file_id: z.string().nullable().describe('the lines without an answer, once it has ended'),
  created_at: seconds,
  in_progress_at: secondsOrNull,
  expires_at: seconds,
  finalizing_at: secondsOrNull,
  completed_at: secondsOrNull,
  failed_at: secondsOrNull,
  expired_at: secondsOrNull,
  cancelling_at: secondsOrNull,
  cancelled_at: secondsOrNull,
  request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
  metadata: z.record(z.string(), z.string()).nullable(),
})
export type BatchAnswer = z.output<typeof Batch>

export const createBatch = route({
  ...batches,
  id: 'create_batch',
  method: 'POST',
  path: '/v1/batches',
  summary: 'Run the requests of a file in idle places, within 24 hours',
  body: component('BatchCreate', {
    input_file_id: z.string().min(1).max(200),
    endpoint: z.enum(BATCH_ENDPOINTS),
    completion_window: z.literal('24h'),
    metadata: maybe(metadata),
    output_expires_after: maybe(z.object({ anchor: z.literal('created_at'), seconds: keptSeconds })),
  }),
  answer: Batch,
})

export const listBatches = route({
  ...batches,
  id: 'list_batches',
  method: 'GET',
  path: '/v1/batches',
  summary: 'List the batches of this key and of those with the same rights, the newest first',
  query: z.object(pageQuery),
  answer: pageOf(Batch, 'BatchPage'),
})

export const getBatch = route({
  ...batches,
  id: 'get_batch',
  method: 'GET',
  path: '/v1/batches/{batch_id}',
  summary: 'Read how far a batch is',
  params: z.object(batchInPath),
  answer: Batch,
})

export const cancelBatch = route({
  ...batches,
  id: 'cancel_batch',
  method: 'POST',
  path: '/v1/batches/{batch_id}/cancel',
  summary: 'End a batch; the answers so far are kept',
  params: z.object(batchInPath),
  answer: Batch,
})
