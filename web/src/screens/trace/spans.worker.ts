/** Reads the spans of a trace and hands them over many at a time, so that the page never waits for their JSON. */
import { NAME_COLUMNS } from '../../../../domain/calls/listed-fields'
import { nameOf } from '../../api/calls'
import { type Call, type Failure, failureOf, postLines, queryCalls, setCsrfToken } from '../../api/client'
import type { Span } from './tree'

export interface SpansRequest {
  project: string
  traceId: string
  csrf: string
}
/** `beginning`: those of a long trace that started first; all of them come in `spans`, too. */
export type SpansMessage = { spans: Span[] } | { beginning: Span[] } | { done: true } | { failure: Failure }

/** The service finds so many at once; most traces have no more. */
const BEGINNING = 500

const tell = (message: SpansMessage) => postMessage(message)

self.addEventListener('message', async ({ data }: MessageEvent<SpansRequest>) => {
  setCsrfToken(data.csrf)
  const asked = {
    project_id: data.project,
    filter: { trace_ids: [data.traceId] },
    columns: ['id', 'parent_id', ...NAME_COLUMNS, 'started_at', 'ended_at', 'exception'],
    ...{ sort_by: [], omit_other_columns: true },
  }
  try {
    const beginning = (await queryCalls({ ...asked, limit: BEGINNING })).map(spanOf)
    if (beginning.length < BEGINNING) tell({ spans: beginning })
    else {
      tell({ beginning })
      const lines = postLines<'/calls/stream_query', Call>('/calls/stream_query', asked)
      for await (const calls of lines) tell({ spans: calls.map(spanOf) })
    }
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
