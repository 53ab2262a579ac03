/**
 * Makes a call of a span: one row of a block, by the plan of the span's attribute keys. Knows the columns of a call and
 * the conventions of `domain/conventions/table.ts`; not where the span came from or where the block goes.
 */

import { ID_LIMIT, isId, RUN_ID_LIMIT, THREAD_ID_LIMIT } from '../../contract/limits.js'
import type { CallBlock } from '../../domain/calls/block.js'
import { StringColumn } from '../../domain/calls/column.js'
import { indexJson } from '../../domain/calls/json-leaves.js'
import { eachElement, lookup } from '../../platform/json/fields.js'
import { Notes, scanValue } from '../../platform/json/scan.js'
import { isStorableTime, microsOf } from '../../platform/time/micros.js'
import { AgentColumns } from './agent.js'
import { AttributeLookup } from './attribute-lookup.js'
import type { AttributePlan, Source } from './attribute-plan.js'
import { BadSpan } from './bad.js'
import { LabelColumns } from './labels.js'
import { MAX_PARTS } from './limits.js'
import { displayNameOf } from './names.js'
import type { Project } from './projects.js'
import { type Span, STATUS_ERROR, STATUS_OK } from './span.js'
import { contentOf, exceptionOf, type SpanContent } from './span-events.js'
import { type Origin, SpanJson } from './span-json.js'
import type { Cut, SpanTemplate } from './span-template.js'
import { StoredAttributes } from './stored-attributes.js'
import { microsOfNanos } from './time.js'
import { Usage } from './usage.js'
import type { Wire } from './wire.js'

/** Room for the text of one span's attributes that is kept for the next one. */
const KEPT_NESTED = 1 << 20

const NO_CONTENT: SpanContent = { inputs: undefined, output: undefined }

/** Whether a span is a turn of its thread. */
export const TURN = {
  /** it has no thread, or one that says nothing of turns */
  none: 0,
  /** nothing says that it isn't, so it is one if it is the root of its thread */
  taken: 1,
  said: 2,
  denied: 3,
} as const

/** What an error without a message leaves in the column that says there was one. */
export const NAMELESS_ERROR = 'error'

export class CallWriter {
  readonly #block: CallBlock
  readonly #span: Span
  /** The attributes' nested text, of one span after the other. */
  readonly #nested = new StringColumn()
  readonly #lookup: AttributeLookup
  readonly #dump: SpanJson
  readonly #attributes: StoredAttributes
  readonly #usage = new Usage()
  readonly #agent: AgentColumns
  readonly #labels: LabelColumns

  constructor(block: CallBlock, span: Span) {
    this.#block = block
    this.#span = span
    this.#lookup = new AttributeLookup(span.attributes, this.#nested)
    this.#dump = new SpanJson(block.otel_span)
    this.#attributes = new StoredAttributes(block, span, this.#lookup)
    this.#agent = new AgentColumns(block, span, this.#lookup)
    this.#labels = new LabelColumns(block, this.#lookup)
  }

  /** Of the call written last, one of {@link TURN}. */
  turn: number = TURN.none

  /** When the call written last started, µs since the epoch. */
  started = 0

  /**
   * Appends the span's row and ends it. `origin` is from `originOf`, `ver` in µs since the epoch.
   * @throws BadSpan; then the row has to be dropped
   */
  write(wire: Wire, project: Project, origin: Origin, userId: DataView, ver: number): void {
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
    this.turn = TURN.none
    if (plan.hasColumns) this.#columns(plan.fields)
    const thread = plan.hasFields ? this.#threadAndTurn(plan, buf) : undefined
    this.#agent.write(plan, buf, thread)
    const ownIds = this.#ids(buf)
    const ownTimes = this.#times(buf, plan)
    this.#labels.write(plan, origin.labels, this.started)
    this.#exception(wire, plan)
    const inputs = this.#lookup.first(plan.inputs)
    const inputsCut = inputs && this.#value(block.inputs, inputs, buf)
    const output = this.#lookup.first(plan.output)
    const events = (!inputs || !output) && span.events.length > 0 ? contentOf(wire, span) : NO_CONTENT
    if (!inputs) this.#content('inputs', events.inputs)
    const outputCut = output && this.#value(block.output, output, buf)
    if (!output) this.#content('output', events.output)
    const hadUsage = this.#usage.find(this.#lookup, plan)
    const fromEvents = events.inputs !== undefined || events.output !== undefined
    this.#attributes.write(plan, buf, hadUsage || fromEvents || inputs !== undefined || output !== undefined)
    this.#lookup.addOtherLeaves(block.leaves, buf, plan.spanLeaves)
    block.span_indexed.int(1)
    if (hadUsage) {
      const { modelFrom, modelTo, answerHash } = this.#attributes
      this.#usage.write(block.summary, this.#lookup.view, modelFrom, modelTo)
      if (this.#agent.repeats) block.repeats_usage.int(1)
      else block.answer_hash.int(answerHash)
    } else block.summary.text('{}')
    this.#keepSpan(wire, origin, plan, plan.templates.of(span, inputsCut, outputCut, ownIds && ownTimes))
    block.user_id.bytesOf(userId, 0, userId.byteLength)
    block.ver.number(ver)
    block.endRow()
  }

  #keepSpan(wire: Wire, origin: Origin, { templates }: AttributePlan, template: SpanTemplate): void {
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

  /** Returns whether both are the span's own. */
  #times(buf: Buffer, plan: AttributePlan): boolean {
    const span = this.#span
    const { started_at, ended_at } = this.#block
    const { startTime, endTime } = plan.fields
    const said = this.#time(startTime)
    const started = said ?? (span.start < 0 ? 0 : microsOfNanos(buf, span.start))
    if (!isStorableTime(started)) throw new BadSpan('start_time_unix_nano is missing or after the year 2254')
    started_at.number(started)
    this.started = started
    const saidEnd = this.#time(endTime)
    const ended = saidEnd ?? (span.end < 0 ? 0 : microsOfNanos(buf, span.end))
    if (ended !== 0 && !isStorableTime(ended)) throw new BadSpan('end_time_unix_nano is after the year 2254')
    ended_at.number(ended)
    return said === undefined && saidEnd === undefined
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

  /** Whether it failed, and why: the status, else an event `exception`, else an attribute. */
  #exception(wire: Wire, { fields }: AttributePlan): void {
    const { statusCode, messageFrom, messageTo } = this.#span
    const failed = statusCode === STATUS_ERROR || this.#lookup.text(fields.level) === 'ERROR'
    const { exception, span_status } = this.#block
    span_status.int(failed ? STATUS_ERROR : statusCode === STATUS_OK ? STATUS_OK : 0)
    if (!failed) return
    if (messageFrom < messageTo) exception.text(wire.buf.toString('utf8', messageFrom, messageTo))
    else
      exception.text(
        exceptionOf(wire, this.#span) ?? this.#lookup.text(fields.errorMessage) ?? NAMELESS_ERROR,
      )
  }

  #columns(fields: AttributePlan['fields']): void {
    const block = this.#block
    const id = this.#idText(fields.callId, 'call_id', ID_LIMIT)
    if (id !== undefined) block.id.text(id)
    const trace = this.#idText(fields.traceId, 'trace_id', ID_LIMIT)
    if (trace !== undefined) block.trace_id.text(trace)
    const parent = this.#idText(fields.parentId, 'parent_id', ID_LIMIT)
    if (parent !== undefined) block.parent_id.text(parent)
    const displayName = this.#lookup.text(fields.displayName)
    if (displayName !== undefined) block.display_name.text(displayNameOf(displayName))
    const run = this.#idText(fields.runId, 'wb_run_id', RUN_ID_LIMIT)
    if (run !== undefined) block.run_id.text(run)
    this.#step('run_step', fields.runStep)
    this.#step('run_step_end', fields.runStepEnd)
  }

  /** Returns the thread, if it has one. */
  #threadAndTurn({ fields }: AttributePlan, buf: Buffer): string | undefined {
    const lookup = this.#lookup
    const block = this.#block
    const thread = this.#thread(fields)
    if (thread === undefined) return undefined
    block.thread_id.text(thread)
    const isTurn = lookup.text(fields.isTurn)
    const explicit = isTurn === 'true' || isTurn === 'false'
    if (explicit) this.turn = isTurn === 'true' ? TURN.said : TURN.denied
    else if (lookup.first(fields.conversation) !== undefined) this.turn = TURN.taken
    if (this.turn !== TURN.said && this.turn !== TURN.taken) return thread
    const id = lookup.text(fields.callId)
    if (id !== undefined) block.turn_id.text(id)
    else {
      const { spanIdFrom, spanIdTo } = this.#span
      block.turn_id.hex(buf, spanIdFrom, spanIdTo)
    }
    return thread
  }

  /** A session that can't be a thread is none, and no reason to refuse a span. */
  #thread({ threadId, ownThreadId }: AttributePlan['fields']): string | undefined {
    this.#idText(ownThreadId, 'thread_id', THREAD_ID_LIMIT)
    const text = this.#lookup.text(threadId)
    return text !== undefined && isId(text, THREAD_ID_LIMIT) ? text : undefined
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

  /** Inputs or output, from `source`, which was found last; returns which stretch of the attributes' text it is. */
  #value(column: StringColumn, source: Source, wire: Buffer): Cut | undefined {
    const lookup = this.#lookup
    const { leaves, output } = this.#block
    const { buf, view, from, to } = lookup
    const bare = source.unwraps && (column === output || buf[from] === 123)
    const answer = source.unanswered ? answerAt(buf, from, to) : undefined
    if (bare) column.bytesOf(view, from, to)
    else {
      const { opening } = source
      column.open()
      column.copyView(opening, 0, opening.byteLength)
      column.copyView(view, from, answer ?? to)
      column.utf8(answer === undefined ? '}' : ']}')
      column.close()
    }
    if (answer !== undefined) {
      indexJson(leaves, 'inputs', column.buf, column.pos - column.lastLength, column.pos)
      return undefined
    }
    lookup.addLeaves(leaves, wire, bare ? source.bareLeaves : source.leaves)
    return bare ? source.bare : source.named
  }

  /** Inputs or output where the attributes have none. */
  #content(name: 'inputs' | 'output', text: Buffer | undefined): void {
    const column = this.#block[name]
    if (text === undefined) column.text(name === 'inputs' ? '{}' : '')
    else {
      column.bytes(text, 0, text.length)
      indexJson(this.#block.leaves, name, text, 0, text.length)
    }
  }
}

/** Where the last message of a list ends the part before it, if it is the model's; undefined if it is not. */
export function answerAt(buf: Buffer, from: number, to: number): number | undefined {
  if (buf[from] !== 91) return undefined
  const notes = new Notes()
  let last = -1
  eachElement(buf, from, notes, (_index, at) => {
    last = at
    return scanValue(buf, at, notes)
  })
  const role = buf[last] === 123 ? lookup(buf, { from: last, to: to - 1 }, ['role']) : undefined
  if (role === undefined || buf.toString('latin1', role.from, role.to) !== '"assistant"') return undefined
  return last - 1 > from ? last - 1 : last
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

export function isWireId(buf: Buffer, from: number, to: number, size: number): boolean {
  if (to - from !== size) return false
  for (let i = from; i < to; i++) if (buf[i] !== 0) return true
  return false
}
