/** What the page of a trace reads: the call, all spans of its trace, its feedback. */
import { queryOptions } from '@tanstack/react-query'
import { type Call, csrfToken, failed, post, send, unanswered } from '../../api/client'
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
      const { call } = (isLarge ? await readLarge(bytes) : JSON.parse(new TextDecoder().decode(bytes))) as {
        call: Call | null
      }
      if (call === null)
        throw new Error('There is no call with this id. It may have been deleted, or is not stored yet.')
      return call
    },
  })

export const traceQuery = (project: string, traceId: string | undefined) =>
  queryOptions({
    queryKey: ['trace', project, traceId],
    enabled: traceId !== undefined,
    staleTime: 30_000,
    queryFn: ({ signal }) => readTree({ project, traceId: traceId!, csrf: csrfToken() }, signal),
  })

function readTree(request: SpansRequest, signal: AbortSignal): Promise<Tree> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./spans.worker.ts', import.meta.url), { type: 'module' })
    const spans: Span[] = []
    const end = (work: () => void) => {
      worker.terminate()
      work()
    }
    signal.addEventListener('abort', () => end(() => reject(signal.reason)))
    worker.addEventListener('error', (event) => end(() => reject(unanswered(event))))
    worker.addEventListener('message', ({ data }: MessageEvent<SpansMessage>) => {
      if ('spans' in data) for (const span of data.spans) spans.push(span)
      else if ('failure' in data) end(() => reject(failed(data.failure)))
      else end(() => resolve(treeOf(spans)))
    })
    worker.postMessage(request)
  })
}

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
      const query = {
        $expr: { $eq: [{ $getField: 'weave_ref' }, { $literal: refOf(project, callId) }] as const },
      }
      const { result } = await post('/feedback/query', { project_id: project, query } as never, signal)
      return result as unknown as Feedback[]
    },
  })
