/** Which traces are stored where the operator wants a part of them: decided by the trace's id alone, so whole traces are. */
import { hash } from 'node:crypto'
import type { Span } from './span.js'
import type { Wire } from './wire.js'

const PARTS = 1_000_000
/** Spans of evaluations are always stored. */
const ALWAYS = Buffer.from('weave.eval.')

export class Sampling {
  private readonly kept: number
  private trace = ''
  private keepsTrace = true

  /** @param rate the part of all traces that is stored, from 0 to 1 */
  constructor(rate: number) {
    this.kept = Math.round(rate * PARTS)
  }

  /** True if the span or log record `[from, to)` of the wire is to be stored. */
  keeps({ buf }: Wire, { traceId }: Pick<Span, 'traceId'>, from: number, to: number): boolean {
    const trace = buf.toString('hex', traceId.from, traceId.to)
    // Spans of a trace mostly come together.
    if (trace !== this.trace) {
      this.trace = trace
      this.keepsTrace = rankOf(trace) < this.kept
    }
    return this.keepsTrace || buf.subarray(from, to).includes(ALWAYS)
  }
}

/** A number below a million for a trace, the same in every process. */
function rankOf(trace: string): number {
  return Number(BigInt(`0x${hash('sha256', trace)}`) % BigInt(PARTS))
}
