/** Declarations of the table routes. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { SortBy } from './calls-read.js'
import { flag, names, page, projectId } from './shared.js'

const tag = 'Tables'
const row = z.record(z.string(), z.unknown())
const expected = z
  .string()
  .nullable()
  .default(null)
  .meta({ description: 'the digest that the client computed; another one answers 409' })
const digest = z.string()
/** Lists of a million digests are larger than the bodies that SDKs otherwise send. */
const LIST_LIMIT = 128 << 20

export const tableCreate = route({
  id: 'table_create',
  method: 'POST',
  path: '/table/create',
  tag,
  summary: 'Create a table of rows; the same rows again are the same table',
  access: 'write',
  project: 'handler',
  raw: true,
  body: z
    .object({
      table: z
        .object({ project_id: projectId, rows: z.array(row), expected_digest: expected })
        .meta({ id: 'TableSchemaForInsert' }),
    })
    .meta({ id: 'TableCreateReq' }),
  answer: z.object({ digest, row_digests: z.array(digest) }).meta({ id: 'TableCreateRes' }),
})

export const tableCreateFromDigests = route({
  id: 'table_create_from_digests',
  method: 'POST',
  path: '/table/create_from_digests',
  tag,
  summary: 'Create a table of rows that were created before',
  access: 'write',
  project: 'handler',
  raw: true,
  maxBytes: LIST_LIMIT,
  body: z
    .object({ project_id: projectId, row_digests: z.array(digest), expected_digest: expected })
    .meta({ id: 'TableCreateFromDigestsReq' }),
  answer: z.object({ digest }).meta({ id: 'TableCreateFromDigestsRes' }),
})

const payload = <S extends z.ZodRawShape>(id: string, shape: S) =>
  z.object(shape).meta({ id: `Table${id}SpecPayload` })

export const tableUpdate = route({
  id: 'table_update',
  method: 'POST',
  path: '/table/update',
  tag,
  summary: 'Create a table from another one by appending, popping and inserting rows, in this order',
  access: 'write',
  project: 'handler',
  raw: true,
  body: z
    .object({
      project_id: projectId,
      base_digest: digest,
      updates: z.array(
        z.union([
          z.object({ append: payload('Append', { row }) }).meta({ id: 'TableAppendSpec' }),
          z.object({ pop: payload('Pop', { index: z.int() }) }).meta({ id: 'TablePopSpec' }),
          z.object({ insert: payload('Insert', { index: z.int(), row }) }).meta({ id: 'TableInsertSpec' }),
        ]),
      ),
    })
    .meta({ id: 'TableUpdateReq' }),
  answer: z.object({ digest, updated_row_digests: z.array(digest) }).meta({ id: 'TableUpdateRes' }),
})

const TableQueryReq = z
  .object({
    project_id: projectId,
    digest,
    filter: z.object({ row_digests: names }).meta({ id: 'TableRowFilter' }).nullable().default(null),
    ...page,
    sort_by: z
      .array(SortBy)
      .nullable()
      .default(null)
      .meta({ description: 'by dotted paths into the rows; default: as the table has them' }),
  })
  .meta({ id: 'TableQueryReq' })
export type TableQuery = z.output<typeof TableQueryReq>

const TableRowSchema = z
  .object({ digest, val: z.unknown(), original_index: z.int().nullable() })
  .meta({ id: 'TableRowSchema' })

export const tableQuery = route({
  id: 'table_query',
  method: 'POST',
  path: '/table/query',
  tag,
  summary: 'Read rows of a table; an unknown table has none',
  access: 'read',
  project: 'body',
  body: TableQueryReq,
  answer: z.object({ rows: z.array(TableRowSchema) }).meta({ id: 'TableQueryRes' }),
})

export const tableQueryStream = route({
  id: 'table_query_stream',
  method: 'POST',
  path: '/table/query_stream',
  tag,
  summary: 'Stream rows of a table',
  access: 'read',
  project: 'body',
  body: TableQueryReq,
  answer: TableRowSchema,
  produces: 'application/jsonl',
})

export const tableQueryStats = route({
  id: 'table_query_stats',
  method: 'POST',
  path: '/table/query_stats',
  tag,
  summary: 'Count the rows of a table; an unknown table has none',
  access: 'read',
  project: 'body',
  body: z.object({ project_id: projectId, digest }).meta({ id: 'TableQueryStatsReq' }),
  answer: z.object({ count: z.int() }).meta({ id: 'TableQueryStatsRes' }),
})

export const tableQueryStatsBatch = route({
  id: 'table_query_stats_batch',
  method: 'POST',
  path: '/table/query_stats_batch',
  tag,
  summary: 'Count the rows of tables; those that are not there are left out',
  access: 'read',
  project: 'body',
  body: z
    .object({
      project_id: projectId,
      digests: z.array(digest).max(1000).nullable().default([]),
      include_storage_size: flag(false),
    })
    .meta({ id: 'TableQueryStatsBatchReq' }),
  answer: z
    .object({
      tables: z.array(
        z
          .object({ count: z.int(), digest, storage_size_bytes: z.int().nullable() })
          .meta({ id: 'TableStatsRow' }),
      ),
    })
    .meta({ id: 'TableQueryStatsBatchRes' }),
})
