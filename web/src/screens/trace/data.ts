/** What the page of a trace reads: the call, all spans of its trace, its feedback. */
import { queryOptions } from '@tanstack/react-query'
import { type Call, csrfToken, equals, failed, post, queryCalls, send, unanswered } from '../../api/client'
import { parseJson } from '../../api/json'
import { conditionOf, sortOf, type TracesSearch } from '../traces/search'
import type { Facts, FactsById } from './facts'
import { readLarge } from './large'
import type { SpansMessage, SpansRequest } from './spans.worker'
import { type Span, type Tree, treeOf } from './tree'

const LARGE = 500_000

/** A call with its content; parts of a large one are read when they are looked at. */
export const callQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['call', project, id],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const response = await send(
        'POST',
        '/call/read',
        { project_id: project, id, include_costs: true },
        signal,
      )
      const bytes = await response.arrayBuffer()
      const isLarge = bytes.byteLength > LARGE
      const { call } = (isLarge ? await readLarge(bytes) : parseJson(new TextDecoder().decode(bytes))) as {
        call: Call | null
      }
      if (call === null)
        throw new Error('There is no call with this id. It may have been deleted, or is not stored yet.')
      return call
    },
  })

/** The tree of a trace; of a long one, its beginning first. */
export const traceQuery = (project: string, traceId: string | undefined) =>
  queryOptions({
    queryKey: ['trace', project, traceId],
    enabled: traceId !== undefined,
    staleTime: 30_000,
    queryFn: ({ client, signal }) => {
      const key = ['trace', project, traceId]
      const isNew = client.getQueryData(key) === undefined
      return readTree({ project, traceId: traceId!, csrf: csrfToken() }, signal, (beginning) => {
        // Who leaves meanwhile and returns asks again: it is old at once.
        if (isNew) client.setQueryData(key, beginning, { updatedAt: 0 })
      })
    },
  })

/** @param begin gets the tree of the spans that started first, if there are many */
function readTree(
  request: SpansRequest,
  signal: AbortSignal,
  begin: (beginning: Tree) => void,
): Promise<Tree> {
  const worker = new Worker(new URL('./spans.worker.ts', import.meta.url), { type: 'module' })
  const spans: Span[] = []
  return answersOf<{ spans: Span[] } | { beginning: Span[] }>(worker, request, signal, (some) => {
    if ('beginning' in some) begin(treeOf(some.beginning, Date.now(), true))
    else for (const span of some.spans) spans.push(span)
  }).then(() => treeOf(spans))
}

/** What the rows say beside times, by the calls' ids. */
export const factsQuery = (project: string, traceId: string) =>
  queryOptions({
    queryKey: ['trace', project, traceId, 'facts'],
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<FactsById> => {
      const worker = new Worker(new URL('./facts.worker.ts', import.meta.url), { type: 'module' })
      const facts = new Map<string, Facts>()
      const request = { project, traceId, csrf: csrfToken() }
      await answersOf<{ facts: [string, Facts][] }>(worker, request, signal, (some) => {
        for (const [id, one] of some.facts) facts.set(id, one)
      })
      return facts
    },
  })

/** Asks a worker, and ends it when it is done, fails or is not waited for any more. @param take gets what comes before the end */
function answersOf<Some extends object>(
  worker: Worker,
  request: SpansRequest,
  signal: AbortSignal,
  take: (some: Some) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (work: () => void) => {
      worker.terminate()
      work()
    }
    signal.addEventListener('abort', () => end(() => reject(signal.reason)))
    worker.addEventListener('error', (event) => end(() => reject(unanswered(event))))
    worker.addEventListener('message', ({ data }: MessageEvent<Some | End>) => {
      if ('failure' in data) end(() => reject(failed(data.failure)))
      else if ('done' in data) end(resolve)
      else take(data)
    })
    worker.postMessage(request)
  })
}

type End = Extract<SpansMessage, { done: true } | { failure: unknown }>

/** A shorter text is in nearly every call. */
export const LEAST_FOUND = 2

/** The calls of a trace that have a text in what went in or came out. */
export const contentQuery = (project: string, traceId: string, text: string) =>
  queryOptions({
    queryKey: ['trace', project, traceId, 'content', text],
    enabled: text.length >= LEAST_FOUND,
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<ReadonlySet<string>> => {
      const substr = { $literal: text }
      const found = await queryCalls(
        {
          ...{ project_id: project, filter: { trace_ids: [traceId] }, columns: ['id'], sort_by: [] },
          query: {
            $expr: {
              $or: ['inputs', 'output', 'exception'].map((field) => ({
                $contains: { input: { $getField: field }, substr, case_insensitive: true },
              })),
            },
          },
        },
        signal,
      )
      return new Set(found.map(({ id }) => id))
    },
  })

const NEIGHBOURS = 1_000

/** The ids of the list of traces that was looked at last, in its order: those at its beginning. */
export const neighboursQuery = (project: string, list: TracesSearch) =>
  queryOptions({
    queryKey: ['calls', project, 'neighbours', list],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const found = await queryCalls(
        {
          ...{ project_id: project, columns: ['id'], limit: NEIGHBOURS },
          ...conditionOf(list, Date.now()),
          sort_by: sortOf(list),
        },
        signal,
      )
      return found.map(({ id }) => id)
    },
  })

export const refOf = (project: string, callId: string) => `weave:///${project}/call/${callId}`

/** What the service says of a piece of feedback; its fields are chosen by the request. */
export interface Feedback {
  id: string
  feedback_type: string
  payload: Record<string, unknown>
  creator: string | null
  created_at: string
}

export const feedbackQuery = (project: string, callId: string) =>
  queryOptions({
    queryKey: ['feedback', project, callId],
    queryFn: async ({ signal }) => {
      const query = { $expr: equals('weave_ref', refOf(project, callId)) }
      const { result } = await post('/feedback/query', { project_id: project, query }, signal)
      return result as unknown as Feedback[]
    },
  })
