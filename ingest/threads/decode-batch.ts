/** Many requests in, their rows as blocks out. Everything that looks into a body happens here. */
import { performance } from 'node:perf_hooks'
import { decodeJson } from './decode-json.js'
import { calls, decodeOtlp, open } from './decode-otlp.js'
import { rowsOf } from './rows.js'
import type { Decoded, Outcome, Task } from './task.js'

/** Decodes `requests`; one that is bad has an error as its outcome and no rows. Their bodies are gone afterwards. */
export function decodeBatch({ requests, buffer }: Task): Decoded {
  const started = performance.now()
  try {
    const outcomes = new Array<Outcome | undefined>(requests.length).fill(undefined)
    const spans = decodeOtlp(requests, outcomes)
    const json = decodeJson(requests, outcomes, calls, open)
    const rows = {
      calls: rowsOf(calls, [...spans.calls, ...json.calls], buffer),
      open: rowsOf(open, [...spans.open, ...json.open]),
    }
    const { ops, feedback } = spans
    return { outcomes, ...rows, ops: [...ops], feedback, ms: performance.now() - started }
  } catch (error) {
    const broken = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { outcomes: [], calls: undefined, open: undefined, ops: [], feedback: [], ms: 0, broken }
  } finally {
    calls.clear()
    open.clear()
  }
}
