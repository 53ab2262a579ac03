/**
 * The entry of a decode thread: many requests in, their rows as blocks out. Everything that looks into a body happens
 * here. Knows nothing of HTTP, time or what is stored.
 */
import { performance } from 'node:perf_hooks'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { CallBlock } from '../../domain/calls/block.js'
import { decodeJson } from './decode-json.js'
import { calls, decodeOtlp } from './decode-otlp.js'
import { rowsOf } from './rows.js'
import type { Decoded, Outcome, Rows, Task } from './task.js'

const open = new CallBlock('calls_open')

/** Decodes `requests`; one that is bad has an error as its outcome and no rows. Their bodies are gone afterwards. */
export default function decode({ requests, buffer }: Task): unknown {
  const started = performance.now()
  let decoded: Decoded
  try {
    const outcomes = new Array<Outcome | undefined>(requests.length).fill(undefined)
    const spans = decodeOtlp(requests, outcomes)
    const json = decodeJson(requests, outcomes, calls, open)
    const rows = {
      calls: rowsOf(calls, [...spans.metadata, ...json.calls], buffer),
      open: rowsOf(open, json.open),
    }
    decoded = { outcomes, ...rows, ops: [...spans.ops], ms: performance.now() - started }
  } catch (error) {
    const broken = error instanceof Error ? (error.stack ?? error.message) : String(error)
    decoded = { outcomes: [], calls: undefined, open: undefined, ops: [], ms: 0, broken }
  } finally {
    calls.clear()
    open.clear()
  }
  return move({ [transferableSymbol]: buffersOf(decoded), [valueSymbol]: decoded })
}

function buffersOf({ calls, open }: Decoded): ArrayBuffer[] {
  const views = [calls ? viewsOf(calls) : [], open ? viewsOf(open) : []].flat()
  return views.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer)
}

function viewsOf({ bytes, kinds, hashes, born, requests }: Rows): ArrayBufferView[] {
  return [bytes, kinds, hashes, born, requests]
}
