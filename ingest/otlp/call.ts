/**
 * Makes a call of a span: one row of a block, by the plan of the span's attribute keys. Knows the columns of a call and
 * the conventions of `keys.ts`; not where the span came from or where the block goes.
 */

import { ID_LIMIT, isId, RUN_ID_LIMIT, THREAD_ID_LIMIT } from '../../contract/limits.js'
import type { CallBlock } from '../../domain/calls/block.js'
import { StringColumn } from '../../domain/calls/column.js'
import type { Shared } from '../../domain/calls/low-cardinality.js'
import { isStorableTime, microsOf } from '../../platform/time/micros.js'
import { AttributeLookup } from './attribute-lookup.js'
import type { AttributePlan, Source } from './attribute-plan.js'
import { BadSpan } from './bad.js'
import { MAX_PARTS } from './limits.js'
import { displayNameOf } from './names.js'
import type { Project } from './projects.js'
import { type Span, STATUS_ERROR } from './span.js'
import { SpanJson } from './span-json.js'
import type { Cut, SpanTemplate } from './span-template.js'
import { StoredAttributes } from './stored-attributes.js'
import { microsOfNanos } from './time.js'
import { Usage } from './usage.js'
import type { Wire } from './wire.js'

/** Room for the text of one span's attributes that is kept for the next one. */
const KEPT_NESTED = 1 << 20

/** What an error without a message leaves in the column that says there was one. */
const NAMELESS_ERROR = 'error'

export class CallWriter {
  readonly #block: CallBlock
  readonly #span: Span
  /** The attributes' nested text, of one span after the other. */
  readonly #nested = new StringColumn()
  readonly #lookup: AttributeLookup
  readonly #dump: SpanJson
  readonly #attributes: StoredAttributes
  readonly #usage = new Usage()

  constructor(block: CallBlock, span: Span) {
    this.#block = block
    this.#span = span
    this.#lookup = new AttributeLookup(span.attributes, this.#nested)
    this.#dump = new SpanJson(block.otel_span)
    this.#attributes = new StoredAttributes(block, span, this.#lookup)
  }

  /** When the call written last started, µs since the epoch. */
  started = 0

  /**
   * Appends the span's row and ends it. `origin` is from `originOf`, `ver` in µs since the epoch.
   * @throws BadSpan; then the row has to be dropped
   */
  write(wire: Wire, project: Project, origin: Shared, userId: DataView, ver: number): void {
    const block = this.#block
    const span = this.#span
    const { buf } = wire
    checkIds(span, buf)
    if (span.tooManyParts) throw new BadSpan(`there are more than ${MAX_PARTS} events or links`)
    const plan = span.attributes.compiled(buf)
    if (plan.problem !== '') throw new BadSpan(plan.problem)
    const nested = this.#nested
    nested.shrink(KEPT_NESTED)
    nested.pos = 0
    span.attributes.write(nested, wire, plan.nesting)
    block.project_id.bytesOf(project.idView, 0, project.idView.byteLength)
    const op = project.opRef(buf, span.nameFrom, span.nameTo)
    block.op_name.bytesOf(op, 0, op.byteLength)
    if (plan.hasFields) this.#fields(plan, buf)
    const ownIds = this.#ids(buf)
    this.#times(buf, plan)
    if (span.statusCode === STATUS_ERROR) this.#exception(buf)
    const inputs = this.#value(block.inputs, plan.inputs, buf, '{}')
    const output = this.#value(block.output, plan.output, buf, '')
    const hadUsage = this.#usage.find(this.#lookup, plan.usage)
    this.#attributes.write(plan, buf, inputs !== undefined || output !== undefined || hadUsage)
    if (hadUsage) {
      const { modelFrom, modelTo } = this.#attributes
      this.#usage.write(block.summary, this.#lookup.view, modelFrom, modelTo)
    } else block.summary.text('{}')
    this.#keepSpan(wire, origin, plan, plan.templates.of(span, inputs, output, ownIds))
    block.user_id.bytesOf(userId, 0, userId.byteLength)
    block.ver.number(ver)
    block.endRow()
  }

  #keepSpan(wire: Wire, origin: Shared, { templates }: AttributePlan, template: SpanTemplate): void {
    const { otel_span, otel_shape, otel_origin, rows } = this.#block
    const span = this.#span
    const { view } = this.#nested
    otel_span.open()
    if (otel_origin.shared(origin) && otel_shape.shared(template)) {
      this.#dump.write(template, false, wire, span, view)
    } else {
      otel_origin.rewind(rows)
      this.#dump.write(templates.of(span, undefined, undefined, false), true, wire, span, view)
      otel_span.utf8(origin.text)
    }
    otel_span.close()
  }

  /** Returns whether all of them are the span's own. */
  #ids(buf: Buffer): boolean {
    const { id, trace_id, parent_id, rows } = this.#block
    const span = this.#span
    const areOwn = id.count === rows && trace_id.count === rows && parent_id.count === rows
    if (id.count === rows) id.hex(buf, span.spanIdFrom, span.spanIdTo)
    if (trace_id.count === rows) trace_id.hex(buf, span.traceIdFrom, span.traceIdTo)
    if (parent_id.count === rows && span.parentIdFrom < span.parentIdTo) {
      parent_id.hex(buf, span.parentIdFrom, span.parentIdTo)
    }
    return areOwn
  }

  #times(buf: Buffer, plan: AttributePlan): void {
    const span = this.#span
    const { started_at, ended_at } = this.#block
    const { startTime, endTime } = plan.fields
    const started = this.#time(startTime) ?? (span.start < 0 ? 0 : microsOfNanos(buf, span.start))
    if (!isStorableTime(started)) throw new BadSpan('start_time_unix_nano is missing or after the year 2254')
    started_at.number(started)
    this.started = started
    const ended = this.#time(endTime) ?? (span.end < 0 ? 0 : microsOfNanos(buf, span.end))
    if (ended !== 0 && !isStorableTime(ended)) throw new BadSpan('end_time_unix_nano is after the year 2254')
    ended_at.number(ended)
  }

  /** A time that overrides the span's: ISO 8601, whole ns, or seconds with a fraction; undefined if it is no time. */
  #time(sources: readonly Source[]): number | undefined {
    const text = this.#lookup.text(sources)
    if (text === undefined) return undefined
    const micros = /^\d{1,20}$/.test(text)
      ? Number(BigInt(text) / 1000n)
      : /^\d+\.\d+$/.test(text)
        ? Math.floor(Number(text) * 1_000_000)
        : microsOf(text)
    return isStorableTime(micros) ? micros : undefined
  }

  #exception(buf: Buffer): void {
    const { exception } = this.#block
    const { messageFrom, messageTo } = this.#span
    if (messageFrom === messageTo) exception.text(NAMELESS_ERROR)
    else exception.text(buf.toString('utf8', messageFrom, messageTo))
  }

  #fields({ fields }: AttributePlan, buf: Buffer): void {
    const lookup = this.#lookup
    const block = this.#block
    const id = this.#idText(fields.callId, 'call_id', ID_LIMIT)
    if (id !== undefined) block.id.text(id)
    const trace = this.#idText(fields.traceId, 'trace_id', ID_LIMIT)
    if (trace !== undefined) block.trace_id.text(trace)
    const parent = this.#idText(fields.parentId, 'parent_id', ID_LIMIT)
    if (parent !== undefined) block.parent_id.text(parent)
    const displayName = lookup.text(fields.displayName)
    if (displayName !== undefined) block.display_name.text(displayNameOf(displayName))
    const run = this.#idText(fields.runId, 'wb_run_id', RUN_ID_LIMIT)
    if (run !== undefined) block.run_id.text(run)
    this.#step('run_step', fields.runStep)
    this.#step('run_step_end', fields.runStepEnd)
    const thread = this.#idText(fields.threadId, 'thread_id', THREAD_ID_LIMIT)
    if (thread === undefined) return
    block.thread_id.text(thread)
    const isTurn = lookup.text(fields.isTurn)
    const explicit = isTurn === 'true' || isTurn === 'false'
    if (explicit ? isTurn === 'false' : lookup.first(fields.conversation) === undefined) return
    if (id !== undefined) block.turn_id.text(id)
    else {
      const { spanIdFrom, spanIdTo } = this.#span
      block.turn_id.hex(buf, spanIdFrom, spanIdTo)
    }
  }

  #idText(sources: readonly Source[], name: string, limit: number): string | undefined {
    const text = this.#lookup.text(sources)
    if (text !== undefined && !isId(text, limit)) {
      throw new BadSpan(`the attribute ${name} has more than ${limit} characters, or control characters`)
    }
    return text
  }

  #step(column: 'run_step' | 'run_step_end', sources: readonly Source[]): void {
    const text = this.#lookup.text(sources)
    if (text === undefined) return
    const step = Number(text)
    if (!Number.isSafeInteger(step)) throw new BadSpan(`the attribute wb_${column} is not a whole number`)
    this.#block[column].number(step)
  }

  /** Inputs or output; returns which stretch of the attributes' text it is, if there was one. */
  #value(column: StringColumn, sources: readonly Source[], wire: Buffer, absent: string): Cut | undefined {
    const lookup = this.#lookup
    const source = lookup.first(sources)
    if (source === undefined) {
      column.text(absent)
      return undefined
    }
    const { leaves, output } = this.#block
    const { buf, view, from, to } = lookup
    const bare = source.unwraps && (column === output || buf[from] === 123)
    if (bare) column.bytesOf(view, from, to)
    else {
      const { opening } = source
      column.open()
      column.copyView(opening, 0, opening.byteLength)
      column.copyView(view, from, to)
      column.byte(125)
      column.close()
    }
    lookup.addLeaves(leaves, wire, bare ? source.bareLeaves : source.leaves)
    return bare ? source.bare : source.named
  }
}

/** A parent of zeros is none. */
function checkIds(span: Span, buf: Buffer): void {
  if (!isWireId(buf, span.traceIdFrom, span.traceIdTo, 16)) {
    throw new BadSpan('trace_id must be 16 bytes, not all zero')
  }
  if (!isWireId(buf, span.spanIdFrom, span.spanIdTo, 8))
    throw new BadSpan('span_id must be 8 bytes, not all zero')
  const { parentIdFrom, parentIdTo } = span
  if (parentIdFrom === parentIdTo || isWireId(buf, parentIdFrom, parentIdTo, 8)) return
  for (let i = parentIdFrom; i < parentIdTo; i++) {
    if (buf[i] !== 0) throw new BadSpan('parent_span_id must be empty or 8 bytes')
  }
  span.parentIdTo = span.parentIdFrom
}

function isWireId(buf: Buffer, from: number, to: number, size: number): boolean {
  if (to - from !== size) return false
  for (let i = from; i < to; i++) if (buf[i] !== 0) return true
  return false
}
