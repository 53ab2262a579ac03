/**
 * The log records of a request as rows that wait for their spans: one for each span, with all its records.
 */
import type { CallBlock } from '../../domain/calls/block.js'
import { KIND } from '../../domain/calls/schema.js'
import { JUDGEMENTS } from '../../domain/conventions/table.js'
import { isStorableTime } from '../../platform/time/micros.js'
import { BadSpan } from './bad.js'
import { hexAt, isWireId } from './call.js'
import { type EvaluationResults, isJudgement, MAX_RESULTS } from './evaluation-results.js'
import { LogRecord } from './log-record.js'
import { eventOf, LOGS_BEGIN, LOGS_END, MAX_LOG_BYTES, MAX_LOGS } from './log-records.js'
import type { Project } from './projects.js'
import type { RowMetadata } from './row-metadata.js'
import type { Sampling } from './sampling.js'
import { microsOfNanos } from './time.js'
import type { Wire } from './wire.js'

const JUDGING = Object.keys(JUDGEMENTS)

/** What the rows show as their op where no span comes. */
export const LOGS_OP = 'logs'

interface Waiting {
  readonly project: Project
  readonly traceId: string
  readonly id: string
  readonly records: string[]
  /** of the first, µs since the epoch */
  started: number
  bytes: number
}

export class LogRows {
  readonly #block: CallBlock
  readonly #metadata: RowMetadata
  readonly #results: EvaluationResults
  #waiting = new Map<string, Waiting>()

  constructor(block: CallBlock, metadata: RowMetadata, results: EvaluationResults) {
    this.#results = results
    this.#block = block
    this.#metadata = metadata
  }

  /** Forgets the request before. */
  begin(): void {
    this.#waiting.clear()
  }

  /** Takes the record `[from, end)`, if it is one that is kept. @throws BadSpan if it can't be */
  add(
    wire: Wire,
    from: number,
    end: number,
    project: Project,
    sampling: Sampling | undefined,
  ): 'taken' | 'ignored' | 'sampledOut' {
    const record = new LogRecord(wire, from, end)
    const { buf } = wire
    if (!isWireId(buf, record.traceId, 16)) return 'ignored'
    const started = record.time < 0 ? 0 : microsOfNanos(buf, record.time)
    if (!isStorableTime(started)) throw new BadSpan('time_unix_nano is missing or after the year 2254')
    const text = record.text(wire)
    if (text === undefined) return 'ignored'
    if (sampling?.keeps(wire, record, from, end) === false) return 'sampledOut'
    const traceId = hexAt(buf, record.traceId)
    // Without a span it is the trace's own.
    const id = isWireId(buf, record.spanId, 8) ? hexAt(buf, record.spanId) : traceId
    const key = `${project.name} ${traceId} ${id}`
    let waiting = this.#waiting.get(key)
    if (waiting === undefined) {
      waiting = { project, traceId, id, records: [], started, bytes: 0 }
      this.#waiting.set(key, waiting)
    }
    const bytes = Buffer.byteLength(text)
    if (waiting.records.length >= MAX_LOGS || waiting.bytes + bytes > MAX_LOG_BYTES)
      throw new BadSpan(
        `its span has more than ${MAX_LOGS} records, or more than ${MAX_LOG_BYTES} bytes of them`,
      )
    if (JUDGING.some((event) => text.includes(event))) {
      const [name, fields] = eventOf(text)
      const judged = { project: project.name, traceId, callId: id, at: started }
      if (isJudgement(name) && !this.#results.add(judged, name, fields))
        throw new BadSpan(`the request has more than ${MAX_RESULTS} evaluation results`)
    }
    waiting.records.push(text)
    waiting.bytes += bytes
    waiting.started = Math.min(waiting.started, started)
    return 'taken'
  }

  /** Appends the rows. @param request its number in the batch */
  write(userId: DataView, request: number): void {
    const block = this.#block
    for (const { project, traceId, id, records, started } of this.#waiting.values()) {
      block.project_id.bytesOf(project.idView, 0, project.idView.byteLength)
      block.id.text(id)
      block.trace_id.text(traceId)
      block.op_name.text(LOGS_OP)
      block.started_at.number(started)
      block.user_id.bytesOf(userId, 0, userId.byteLength)
      block.otel_span.text(`${LOGS_BEGIN}${records.join(',')}${LOGS_END}`)
      block.kind.int(KIND.log)
      block.endRow()
      this.#metadata.add(block, project, started / 1000, request)
    }
  }
}
