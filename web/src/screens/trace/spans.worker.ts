/** Reads the spans of a trace and hands them over many at a time, so that the page never waits for their JSON. */
import { NAME_COLUMNS } from '../../../../domain/calls/listed-fields'
import { nameOf } from '../../api/calls'
import { type Call, type Failure, failureOf, postLines, setCsrfToken } from '../../api/client'
import type { Span } from './tree'

export interface SpansRequest {
  project: string
  traceId: string
  csrf: string
}
export type SpansMessage = { spans: Span[] } | { done: true } | { failure: Failure }

const tell = (message: SpansMessage) => postMessage(message)

self.addEventListener('message', async ({ data }: MessageEvent<SpansRequest>) => {
  setCsrfToken(data.csrf)
  try {
    const lines = postLines<'/calls/stream_query', Call>('/calls/stream_query', {
      project_id: data.project,
      filter: { trace_ids: [data.traceId] },
      columns: ['id', 'parent_id', ...NAME_COLUMNS, 'started_at', 'ended_at', 'exception'],
      ...{ sort_by: [], omit_other_columns: true },
    })
    for await (const calls of lines) tell({ spans: calls.map(spanOf) })
    tell({ done: true })
  } catch (error) {
    tell({ failure: failureOf(error) })
  }
})

function spanOf(call: Call): Span {
  return {
    id: call.id,
    parent: call.parent_id,
    name: nameOf(call),
    start: Date.parse(call.started_at),
    end: call.ended_at ? Date.parse(call.ended_at) : undefined,
    failed: Boolean(call.exception),
  }
}
