/** Reads what rows of a trace say beside times: after the trace is shown, and without holding it up. */
import { type Kind, SAID_KINDS, saysKind } from '../../../../domain/calls/kinds'
import { NAME_COLUMNS } from '../../../../domain/calls/listed-fields'
import { nameOf } from '../../api/calls'
import { type Call, type Failure, failureOf, postLines, setCsrfToken } from '../../api/client'
import { type Facts, factsOf } from './facts'
import type { SpansRequest } from './spans.worker'

export type FactsMessage = { facts: [string, Facts][] } | { done: true } | { failure: Failure }

const tell = (message: FactsMessage) => postMessage(message)

self.addEventListener('message', async ({ data }: MessageEvent<SpansRequest>) => {
  setCsrfToken(data.csrf)
  try {
    const kinds = new Map<string, Kind>()
    const known = SAID_KINDS.map(async (kind) => {
      const lines = read(data, { columns: ['id'], query: saysKind(kind) })
      for await (const calls of lines) for (const { id } of calls) kinds.set(id, kind)
    })
    const found: Call[] = []
    const all = async () => {
      const lines = read(data, {
        columns: ['id', ...NAME_COLUMNS, 'summary'],
        ...{ include_costs: true, include_feedback: true },
      })
      for await (const calls of lines) for (const call of calls) found.push(call)
    }
    await Promise.all([...known, all()])
    tell({ facts: found.map((call) => [call.id, factsOf(nameOf(call), call.summary, kinds.get(call.id))]) })
    tell({ done: true })
  } catch (error) {
    tell({ failure: failureOf(error) })
  }
})

const read = ({ project, traceId }: SpansRequest, more: object) =>
  postLines<'/calls/stream_query', Call>('/calls/stream_query', {
    ...{ project_id: project, filter: { trace_ids: [traceId] }, sort_by: [], omit_other_columns: true },
    ...more,
  })
