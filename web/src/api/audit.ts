/** The audit log: who did what, as far as who is signed in administers it. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { post, type Schemas, send } from './client'

export type AuditEntry = Schemas['AuditEntry']
export type AuditFilter = Omit<Schemas['AuditQueryReq'], 'limit' | 'cursor'>
export type AuditCheck = Schemas['AuditVerifyRes']

const ENTRIES = 100

/** The newest first. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    initialPageParam: null as string | null,
    retry: false,
    queryFn: ({ pageParam, signal }) =>
      post('/audit/query', { ...filter, limit: ENTRIES, cursor: pageParam }, signal),
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
  })

export const verifyAudit = (): Promise<AuditCheck> => post('/audit/verify', { heads: [] })

/** The lines that a filter lets through; how it went is of entries, not of lines. */
export async function auditFile({ outcome: _, ...filter }: AuditFilter, format: string): Promise<Blob> {
  return (await send('POST', '/audit/export', { ...filter, format })).blob()
}
