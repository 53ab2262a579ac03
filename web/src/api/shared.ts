/** What a link shows, read without a session, whoever is signed in. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Feedback } from '../screens/trace/data'
import { type Span, treeOf } from '../screens/trace/tree'
import { nameOf } from './calls'
import { answered, type Call, parseLines, type Schemas, send } from './client'
import type { ResultRow, Summary } from './evaluations'

const ask = (token: string, path: string, signal: AbortSignal): Promise<Response> =>
  send('GET', `/shared/${encodeURIComponent(token)}${path}`, undefined, signal, 'omit')

export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token],
    staleTime: 60_000,
    queryFn: async ({ signal }) => answered<Schemas['SharedRes']>(await ask(token, '', signal)),
  })

export const sharedTreeQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token, 'calls'],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      treeOf(
        parseLines<Schemas['SharedCall']>(await (await ask(token, '/calls', signal)).text()).map(spanOf),
      ),
  })

export type SharedFacts = Schemas['SharedFacts'] & Pick<Call, 'summary'>

export const sharedFactsQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token, 'facts'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => parseLines<SharedFacts>(await (await ask(token, '/facts', signal)).text()),
  })

function spanOf(call: Schemas['SharedCall']): Span {
  return {
    ...{ id: call.id, parent: call.parent_id, name: nameOf(call), start: Date.parse(call.started_at) },
    end: call.ended_at ? Date.parse(call.ended_at) : undefined,
    failed: Boolean(call.exception),
  }
}

export interface SharedCall {
  call: Call
  feedback: Feedback[]
  refs: Record<string, unknown>
}

export const sharedCallQuery = (token: string, id: string) =>
  queryOptions({
    queryKey: ['shared', token, 'call', id],
    enabled: id !== '',
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      answered<SharedCall>(await ask(token, `/calls/${encodeURIComponent(id)}`, signal)),
  })

/** The address of a file that a call of the trace names. */
export const sharedFile = (token: string, callId: string, uri: string): string =>
  `/shared/${encodeURIComponent(token)}/calls/${encodeURIComponent(callId)}/file?uri=${encodeURIComponent(uri)}`

export interface SharedResults {
  rows: ResultRow[]
  total_rows: number
  summary: { evaluations: Summary[] } | null
  warnings: string[]
}

const ROWS = 100

const resultsOf = async (token: string, limit: number, offset: number, signal: AbortSignal) =>
  answered<SharedResults>(await ask(token, `/evaluation?limit=${limit}&offset=${offset}`, signal))

export const sharedSummaryQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token, 'summary'],
    staleTime: 60_000,
    queryFn: ({ signal }) => resultsOf(token, 0, 0, signal),
  })

export const sharedResultsQuery = (token: string) =>
  infiniteQueryOptions({
    queryKey: ['shared', token, 'rows'],
    staleTime: 60_000,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => resultsOf(token, ROWS, pageParam, signal),
    getNextPageParam: ({ total_rows: total }, pages) =>
      pages.length * ROWS < total ? pages.length * ROWS : undefined,
  })

export const sharedDashboardQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token, 'dashboard'],
    refetchInterval: 60_000,
    queryFn: async ({ signal }) =>
      answered<Schemas['SharedDashboardRes']>(await ask(token, '/dashboard', signal)),
  })
