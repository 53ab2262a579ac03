import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { SortBy } from './calls-read.js'
import { component, flag, names, orNull, page, projectId, rawWrite, readInBody, shortText } from './shared.js'

const tag = 'Tables'
const writeRaw = { ...rawWrite, tag } as const
const read = { ...readInBody, tag } as const
const row = z.record(z.string(), z.unknown())
const expected = orNull(z.string()).describe('the digest that the client computed; 409 if it differs')
const digest = shortText
/** Lists of a million digests are larger than the bodies that SDKs otherwise send. */
const LIST_LIMIT = 128 << 20

export const tableCreate = route({
  ...writeRaw,
  id: 'table_create',
  path: '/table/create',
  summary: 'Create a table; equal rows give the same table',
  body: component('TableCreateReq', {
    table: component('TableSchemaForInsert', {
      project_id: projectId,
      rows: z.array(row),
      expected_digest: expected,
    }),
  }),
  answer: component('TableCreateRes', { digest, row_digests: z.array(digest) }),
})

export const tableCreateFromDigests = route({
  ...writeRaw,
  id: 'table_create_from_digests',
  path: '/table/create_from_digests',
  summary: 'Create a table from the digests of existing rows',
  maxBytes: LIST_LIMIT,
  body: component('TableCreateFromDigestsReq', {
    project_id: projectId,
    row_digests: z.array(digest),
    expected_digest: expected,
  }),
  answer: component('TableCreateFromDigestsRes', { digest }),
})

const payload = <S extends z.ZodRawShape>(id: string, shape: S) => component(`Table${id}SpecPayload`, shape)

export const tableUpdate = route({
  ...writeRaw,
  id: 'table_update',
  path: '/table/update',
  summary: 'Create a table from another one: append, pop and insert rows, in this order',
  body: component('TableUpdateReq', {
    project_id: projectId,
    base_digest: digest,
    updates: z.array(
      z.union([
        component('TableAppendSpec', { append: payload('Append', { row }) }),
        component('TablePopSpec', { pop: payload('Pop', { index: z.int() }) }),
        component('TableInsertSpec', { insert: payload('Insert', { index: z.int(), row }) }),
      ]),
    ),
  }),
  answer: component('TableUpdateRes', { digest, updated_row_digests: z.array(digest) }),
})

const TableQueryReq = component('TableQueryReq', {
  project_id: projectId,
  digest,
  filter: orNull(component('TableRowFilter', { row_digests: names })),
  ...page,
  sort_by: orNull(z.array(SortBy)).describe('by dotted paths into the rows; default: the order of the table'),
})
export type TableQuery = z.output<typeof TableQueryReq>

const TableRowSchema = component('TableRowSchema', {
  digest,
  val: z.unknown(),
  original_index: z.int().nullable(),
})

export const tableQuery = route({
  ...read,
  id: 'table_query',
  path: '/table/query',
  summary: 'Read rows of a table; an unknown table has none',
  body: TableQueryReq,
  answer: component('TableQueryRes', { rows: z.array(TableRowSchema) }),
})

export const tableQueryStream = route({
  ...read,
  id: 'table_query_stream',
  path: '/table/query_stream',
  summary: 'Stream rows of a table',
  body: TableQueryReq,
  answer: TableRowSchema,
  produces: 'application/jsonl',
})

export const tableQueryStats = route({
  ...read,
  id: 'table_query_stats',
  path: '/table/query_stats',
  summary: 'Count the rows of a table; an unknown table has none',
  body: component('TableQueryStatsReq', { project_id: projectId, digest }),
  answer: component('TableQueryStatsRes', { count: z.int() }),
})

export const tableQueryStatsBatch = route({
  ...read,
  id: 'table_query_stats_batch',
  path: '/table/query_stats_batch',
  summary: 'Count the rows of tables; missing tables are omitted',
  body: component('TableQueryStatsBatchReq', {
    project_id: projectId,
    digests: z.array(digest).max(1000).nullable().default([]),
    include_storage_size: flag(false),
  }),
  answer: component('TableQueryStatsBatchRes', {
    tables: z.array(
      component('TableStatsRow', { count: z.int(), digest, storage_size_bytes: z.int().nullable() }),
    ),
  }),
})
