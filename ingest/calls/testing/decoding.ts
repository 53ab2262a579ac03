/** What tests of the decoder need: requests in, rows out as plain objects. */
import { CallBlock } from '../../../domain/calls/block.js'
import { numberOf, stringsOf } from '../../../domain/calls/block-reader.js'
import { sentColumns } from '../../../domain/calls/schema.js'
import { type CallsRequest, type Decoded, decodeCalls } from '../decode.js'
import type { CallsRoute } from '../read.js'

/** Columns of text, without those that only spans of exporters have. */
const texts = sentColumns('calls').filter(({ kind }) => ['text', 'textOrUnset', 'json'].includes(kind))

/** The rows of an encoded block: texts, times and versions, by column. */
function rowsOf(block: CallBlock): Record<string, unknown>[] {
  const layout = block.layout()
  const all = Array.from({ length: layout.rows }, (_, row) => row)
  const rows: Record<string, unknown>[] = all.map((row) => ({
    started_at: numberOf(layout, 'started_at', row),
    ended_at: numberOf(layout, 'ended_at', row),
    bytes: numberOf(layout, 'bytes', row),
    ver: numberOf(layout, 'ver', row),
    first_token: block.first_token.from(row)[0],
  }))
  for (const { name } of texts) {
    stringsOf(layout, name, all).forEach((value, row) => {
      rows[row]![name] = value
    })
  }
  return rows
}

interface Result extends Decoded {
  wholeRows: Record<string, unknown>[]
  openRows: Record<string, unknown>[]
}

/** Decodes requests into blocks of their own. */
export function decode(
  ...requests: (Partial<CallsRequest> & { route: CallsRoute; json: unknown })[]
): Result {
  const calls = new CallBlock('calls')
  const open = new CallBlock('calls_open')
  const decoded = decodeCalls(
    requests.map(({ json, ...request }, i) => ({
      body: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)),
      userId: 'user',
      ver: 1000 + i,
      mayWrite: () => true,
      ...request,
    })),
    calls,
    open,
  )
  return { ...decoded, wholeRows: rowsOf(calls), openRows: rowsOf(open) }
}

/** The answer of each request, or its error. */
export function answers({ outcomes }: Decoded): unknown[] {
  return outcomes.map((outcome) => ('error' in outcome ? outcome.error : JSON.parse(outcome.answer)))
}

/** Status and places of what is wrong with the first request. */
export function problems({ outcomes }: Decoded): unknown {
  const [outcome] = outcomes
  if (!outcome || !('error' in outcome)) return 'none'
  const { status } = outcome.error
  const { detail, reason } = outcome.error.body() as {
    detail?: { loc: string[]; type: string }[]
    reason?: string
  }
  return detail ? [status, ...detail.map(({ loc, type }) => `${loc.join('.')}: ${type}`)] : [status, reason]
}

export const T0 = 1_767_225_600_000_000
export const start = (more: object = {}) => ({
  project_id: 'me/mine',
  id: 'c1',
  trace_id: 't1',
  op_name: 'f',
  started_at: '2026-01-01T00:00:00Z',
  attributes: {},
  inputs: {},
  ...more,
})
export const end = (more: object = {}) => ({
  project_id: 'me/mine',
  id: 'c1',
  ended_at: '2026-01-01T00:00:01.5Z',
  summary: {},
  ...more,
})
export const whole = (more: object = {}) => ({ ...start(), ...end(), ...more })
export const item = (call: object) =>
  'ended_at' in call ? { mode: 'end', req: { end: call } } : { mode: 'start', req: { start: call } }
export const batch = (...calls: object[]) => ({ batch: calls.map(item) })
