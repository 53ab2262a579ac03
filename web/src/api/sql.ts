/** Statements over a project, and the tables that they read. */
import { queryOptions } from '@tanstack/react-query'
import { get, post, send } from './client'

export const sqlTablesQuery = queryOptions({
  queryKey: ['sql-tables'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => (await get('/sql/tables', signal)).tables,
})

/** Rows that a page shows; who wants more downloads them. */
const SHOWN = 10_000

/** The result of a statement; it is asked for again when somebody asks. @param query empty: there is none */
export const sqlQuery = (project: string, query: string) =>
  queryOptions({
    queryKey: ['sql', project, query],
    enabled: query.trim() !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) =>
      post(
        '/sql',
        { project_id: project, query, format: 'json', params: {}, limits: { result_rows: SHOWN } },
        signal,
      ),
  })

export async function sqlFile(project: string, query: string, format: string): Promise<Blob> {
  return (await send('POST', '/sql', { project_id: project, query, format })).blob()
}
