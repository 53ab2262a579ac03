/** Many requests in, their rows as blocks out. Everything that looks into a body happens here. */
import { performance } from 'node:perf_hooks'
import type { Counts } from '../../domain/masking/counts.js'
import { rulesOf } from '../../domain/masking/snapshot.js'
import { decodeJson } from './decode-json.js'
import { calls, decodeOtlp, open } from './decode-otlp.js'
import { rowsOf } from './rows.js'
import type { Decoded, Outcome, Task } from './task.js'

/** Decodes `requests`; one that is bad has an error as its outcome and no rows. Their bodies are gone afterwards. */
export function decodeBatch({ requests, buffer, masking }: Task): Decoded {
  const started = performance.now()
  try {
    const rules = masking === undefined ? undefined : rulesOf(masking)
    const counts: Counts = new Map()
    const outcomes = new Array<Outcome | undefined>(requests.length).fill(undefined)
    const spans = decodeOtlp(requests, outcomes, rules, counts)
    const json = decodeJson(requests, outcomes, calls, open, rules, counts)
    const rows = {
      calls: rowsOf(calls, [...spans.calls, ...json.calls], buffer),
      open: rowsOf(open, [...spans.open, ...json.open]),
    }
    const { ops, feedback, unwalked } = spans
    const masked = [...counts]
    return { outcomes, ...rows, ops: [...ops], feedback, masked, unwalked, ms: performance.now() - started }
  } catch (error) {
    const broken = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return {
      outcomes: [],
      calls: undefined,
      open: undefined,
      ops: [],
      feedback: [],
      masked: [],
      unwalked: 0,
      ms: 0,
      broken,
    }
  } finally {
    calls.clear()
    open.clear()
  }
}
