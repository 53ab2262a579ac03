/** Objects of a project: what was saved under a name, its versions, and the rows of its tables. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { post, type Schemas, send } from './client'

export type Obj = Schemas['ObjSchema']
type Row = Schemas['TableRowSchema']

const PAGE = 500
/** Rows of a table that are read at once. */
export const ROWS = 100

/** The newest version of each, without its value. @param type a class, 'Op', or '' for all but ops */
export const objectsQuery = (project: string, type: string) =>
  infiniteQueryOptions({
    queryKey: ['objects', project, type],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const isOp = type === 'Op'
      const { objs } = await post(
        '/objs/query',
        {
          project_id: project,
          filter: {
            latest_only: true,
            is_op: isOp,
            ...(type !== '' && !isOp && { base_object_classes: [type] }),
          },
          metadata_only: true,
          include_tags_and_aliases: true,
          sort_by: [{ field: 'created_at', direction: 'desc' }],
          limit: PAGE,
          offset: pageParam,
        },
        signal,
      )
      return objs
    },
    getNextPageParam: (last: Obj[], pages: Obj[][]) => (last.length < PAGE ? undefined : pages.length * PAGE),
  })

/** The names of all objects of a class. */
const namesQuery = (type: string) => (project: string) =>
  queryOptions({
    queryKey: ['objects', project, 'names', type],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, base_object_classes: [type] }
      const { objs } = await post('/objs/query', { project_id: project, filter, metadata_only: true }, signal)
      return objs.map(({ object_id: id }) => id)
    },
  })

export const datasetNamesQuery = namesQuery('Dataset')
export const scorerNamesQuery = namesQuery('Scorer')

/** All versions of one, the newest first, without their values. */
export const versionsQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['objects', project, 'versions', id],
    queryFn: async ({ signal }) => {
      const { objs } = await post(
        '/objs/query',
        {
          project_id: project,
          filter: { object_ids: [id] },
          metadata_only: true,
          include_tags_and_aliases: true,
        },
        signal,
      )
      return objs.toSorted((a, b) => b.version_index - a.version_index)
    },
  })

/** A version with its value. @param digest or the name of a version: latest, v3 */
export const objectQuery = (project: string, id: string, digest: string | undefined) =>
  queryOptions({
    queryKey: ['objects', project, 'version', id, digest],
    enabled: digest !== undefined,
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (
        await post(
          '/obj/read',
          { project_id: project, object_id: id, digest: digest!, include_tags_and_aliases: true },
          signal,
        )
      ).obj,
  })

export const rowCountQuery = (project: string, table: string) =>
  queryOptions({
    queryKey: ['table', project, table, 'count'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await post('/table/query_stats', { project_id: project, digest: table }, signal)).count,
  })

/** Rows from `page * ROWS` on. A table never changes: another one has another digest. */
export const rowsQuery = (project: string, table: string, page: number) =>
  queryOptions({
    queryKey: ['table', project, table, page],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => readRows(project, table, page * ROWS, ROWS, signal),
  })

export async function readRows(
  project: string,
  table: string,
  offset: number,
  limit: number,
  signal?: AbortSignal,
): Promise<Row[]> {
  return (await post('/table/query', { project_id: project, digest: table, offset, limit }, signal)).rows
}

/** The digest of the table that holds the rows of a dataset. */
export function tableOf(value: unknown): string | undefined {
  const rows = typeof value === 'object' && value !== null && 'rows' in value ? value.rows : undefined
  if (typeof rows !== 'string') return undefined
  return /^weave:\/\/\/[^/]+\/[^/]+\/table\/(\w+)$/.exec(rows)?.[1]
}

/** A file that a value names, as text: the code of an op. */
export const fileQuery = (project: string, digest: string) =>
  queryOptions({
    queryKey: ['file', project, digest],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await send('POST', '/file/content', { project_id: project, digest }, signal)).text(),
  })

/** The alias that the newest version always has. */
export const LATEST = 'latest'

/** A tag, which several versions may have, or an alias, which names one. */
export interface Label {
  kind: 'tag' | 'alias'
  name: string
}

/** Adds a label to a version, or removes it. */
export async function changeLabels(
  { project_id, object_id, digest }: Obj,
  { kind, name }: Label,
  isAdded: boolean,
): Promise<void> {
  const object = `/objs/${encodeURIComponent(object_id)}`
  const [path, body] =
    kind === 'tag'
      ? [`${object}/versions/${digest}/tags`, { project_id, tags: [name] }]
      : [`${object}/aliases`, { project_id, aliases: [name], ...(isAdded && { digest }) }]
  await send(isAdded ? 'PUT' : 'POST', isAdded ? path : `${path}/remove`, body)
}
