import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, orNull, projectId, readInBody } from './shared.js'

const most = z.int().min(1)

const SqlReq = component('SqlReq', {
  project_id: projectId,
  query: z
    .string()
    .min(1)
    .max(65_536)
    .describe('one SELECT over the tables of the guide: calls, spans, costs, …'),
  format: z.enum(['json', 'jsonl', 'csv', 'parquet', 'arrow']).default('json'),
  params: z
    .record(
      z.string().regex(/^[A-Za-z_]\w{0,63}$/),
      z.union([
        z.string().max(65_536),
        z.number(),
        z.boolean(),
        z.array(z.union([z.string().max(65_536), z.number()])).max(10_000),
      ]),
    )
    .default({})
    .describe('values of {name:Type} in the query'),
  limits: orNull(
    component('SqlLimits', {
      seconds: orNull(most),
      read_rows: orNull(most),
      read_bytes: orNull(most),
      result_rows: orNull(most),
      result_bytes: orNull(most),
    }),
  ).describe('lower ones than those of the server'),
})

export const projectSql = route({
  ...readInBody,
  id: 'sql',
  path: '/sql',
  tag: 'SQL',
  summary: 'Run a SELECT over the calls, costs, evaluations, objects and training jobs of a project',
  // Values of params, which are held against their shapes one by one.
  maxValues: 2 ** 15,
  body: SqlReq,
  answer: component('SqlRes', {
    meta: z.array(z.object({ name: z.string(), type: z.string() })),
    data: z.array(z.record(z.string(), z.unknown())),
    rows: z.int(),
  }),
  producesToo: [
    'application/jsonl',
    'text/csv',
    'application/vnd.apache.parquet',
    'application/vnd.apache.arrow.file',
  ],
})

const SqlColumn = component('SqlColumn', { name: z.string(), type: z.string(), description: z.string() })

export const sqlTables = route({
  id: 'sql_tables',
  method: 'GET',
  path: '/sql/tables',
  tag: 'SQL',
  summary: 'List the tables that /sql reads, and their columns',
  access: 'read',
  project: 'none',
  answer: component('SqlTablesRes', {
    tables: z.array(
      component('SqlTable', { name: z.string(), description: z.string(), columns: z.array(SqlColumn) }),
    ),
  }),
})
