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

/** Runs a statement. @param params values for the names in it @param rows the most that are read; default: as many as there may be */
export const runSql = (
  {
    project,
    query,
    params = {},
    rows,
  }: { project: string; query: string; params?: Record<string, string>; rows?: number },
  signal: AbortSignal,
) => {
  const limits = rows !== undefined && { limits: { result_rows: rows } }
  return post('/sql', { project_id: project, query, format: 'json', params, ...limits }, signal)
}

/** The result of a statement; it is asked for again when somebody asks. @param query empty: there is none */
export const sqlQuery = (project: string, query: string) =>
  queryOptions({
    queryKey: ['sql', project, query],
    enabled: query.trim() !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => runSql({ project, query, rows: SHOWN }, signal),
  })

export async function sqlFile(project: string, query: string, format: string): Promise<Blob> {
  return (await send('POST', '/sql', { project_id: project, query, format })).blob()
}
