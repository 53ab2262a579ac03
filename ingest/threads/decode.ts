/**
 * The entry of a decode thread: many requests in, at most one block a table out. Everything that looks into a body
 * happens here. Knows nothing of HTTP, time or what is stored.
 */
import { performance } from 'node:perf_hooks'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { CallBlock } from '../../common/calls/block.js'
import { decodeJson } from './decode-json.js'
import { rowsOf } from './rows.js'
import type { Decoded, Outcome, RawWrite, Rows } from './task.js'

const calls = new CallBlock('calls')
const open = new CallBlock('calls_open')

/** Decodes `requests`; one that is bad has an error as its outcome and no rows. The bodies go back in any case. */
export default function decode(requests: RawWrite[]): unknown {
  const started = performance.now()
  const bodies = requests.map(({ body }) => body)
  let decoded: Decoded
  try {
    const rows = rowsIn(requests)
    decoded = { ...rows, bodies, ms: performance.now() - started }
  } catch (error) {
    const broken = error instanceof Error ? (error.stack ?? error.message) : String(error)
    decoded = { outcomes: [], calls: undefined, open: undefined, ops: [], bodies, ms: 0, broken }
  } finally {
    calls.clear()
    open.clear()
  }
  return move({ [transferableSymbol]: buffersOf(decoded), [valueSymbol]: decoded })
}

function rowsIn(requests: readonly RawWrite[]): Pick<Decoded, 'outcomes' | 'calls' | 'open' | 'ops'> {
  const outcomes = new Array<Outcome>(requests.length)
  const json = decodeJson(requests, outcomes, calls, open)
  return { outcomes, calls: rowsOf(calls, [json.calls]), open: rowsOf(open, [json.open]), ops: [] }
}

function buffersOf({ calls, open, bodies }: Decoded): ArrayBuffer[] {
  const views = bodies.concat(...[calls, open].map((rows) => (rows ? viewsOf(rows) : [])))
  return views.map((view) => view.buffer as ArrayBuffer)
}

function viewsOf({ bytes, kinds, hashes, born, requests }: Rows): Uint8Array[] {
  return [bytes, kinds, hashes, born, requests] as Uint8Array[]
}
