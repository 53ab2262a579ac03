/**
 * Makes a call of a span: one row of a block, by the conventions of `domain/conventions/table.ts`, one rule after the other.
 * It writes the spans that the walker leaves, and is what tests hold the walker against. Knows the columns of a call, not
 * where the span came from or where the block goes.
 */
import { DISPLAY_NAME_LIMIT, ID_LIMIT, isId, RUN_ID_LIMIT, THREAD_ID_LIMIT } from '../../contract/limits.js'
import { SPAN_KINDS } from '../../domain/agents/keys.js'
import type { CallBlock } from '../../domain/calls/block.js'
import type { StringColumn } from '../../domain/calls/column.js'
import { hashBytes } from '../../domain/calls/hash.js'
import { indexJson, rootHash } from '../../domain/calls/json-leaves.js'
import { MARKS } from '../../domain/calls/otel-span.js'
import { FIELDS, INPUTS, OUTPUT, type Source } from '../../domain/conventions/table.js'
import { eachElement, lookup as lookupIn } from '../../platform/json/fields.js'
import { Notes, type Slice, scanValue } from '../../platform/json/scan.js'
import { utf8At } from '../../platform/json/text.js'
import { isStorableTime, microsOf } from '../../platform/time/micros.js'
import { isFollowed, writeAgent } from './agent.js'
import { hashBelow } from './attribute-keys.js'
import { AttributeLookup, type Found } from './attribute-lookup.js'
import { BadSpan } from './bad.js'
import { userAt } from './inherited-users.js'
import { writeLabels } from './labels.js'
import { MAX_PARTS } from './limits.js'
import type { Project } from './projects.js'
import { NOWHERE, type Span, STATUS_ERROR, STATUS_OK } from './span.js'
import { contentOf, exceptionOf } from './span-events.js'
import { type Origin, writeSpan } from './span-json.js'
import { writeAttributes } from './stored-attributes.js'
import { microsOfNanos } from './time.js'
import type { TreeNode } from './tree.js'
import { summaryOf, usageOf } from './usage.js'
import type { Wire } from './wire.js'

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

/** What is known of a row beside its columns. */
export interface WrittenCall {
  /** one of {@link TURN} */
  readonly turn: number
  /** when the call started, µs since the epoch */
  readonly started: number
}

/**
 * Appends the span's row to `block` and ends it.
 * @param origin from `originOf` @param ver in µs since the epoch
 * @throws BadSpan; then the row has to be dropped
 */
export function writeCall(
  block: CallBlock,
  wire: Wire,
  span: Span,
  project: Project,
  origin: Origin,
  userId: DataView,
  ver: number,
): WrittenCall {
  checkIds(span, wire.buf)
  if (span.tooManyParts) throw new BadSpan(`there are more than ${MAX_PARTS} events or links`)
  const lookup = new AttributeLookup(wire, span.attributes)
  const row = new CallRow(block, wire, span, lookup)
  block.project_id.bytesOf(project.idView, 0, project.idView.byteLength)
  const op = project.opRef(wire.buf, span.name.from, span.name.to)
  block.op_name.bytesOf(op, 0, op.byteLength)
  block.span_kind.int((span.kind < SPAN_KINDS.length ? span.kind : 0) + 1)
  const hasOwnIds = row.writeIds()
  const { thread, turn } = row.writeThread()
  const isTold = writeAgent(block, lookup, utf8At(wire.buf, span.name.from, span.name.to), thread)
  const repeats = isTold || (origin.sums && isFollowed(lookup))
  const { started, isOwn: hasOwnTimes } = row.writeTimes()
  writeLabels(block, lookup, origin.labels, started)
  row.writeException()
  const hasContent = row.writeContent()
  const usage = usageOf(lookup)
  const { model, answer } = writeAttributes(block, lookup, hasContent || usage !== undefined)
  const { attributes } = block
  if (userAt(attributes.buf, attributes.pos - attributes.lastLength, attributes.pos)) block.has_user.int(1)
  lookup.addOtherLeaves(block.leaves)
  block.span_indexed.int(1)
  if (usage === undefined) block.summary.text('{}')
  else {
    putJson(block.summary, summaryOf(usage, model))
    if (repeats) block.repeats_usage.int(1)
    else if (answer !== undefined) block.answer_hash.int(hashOf(answer))
  }
  writeSpan(block, wire, span, lookup, origin, { cuts: row.cuts, own: hasOwnIds && hasOwnTimes })
  block.user_id.bytesOf(userId, 0, userId.byteLength)
  block.ver.number(ver)
  block.endRow()
  return { turn, started }
}

class CallRow {
  /** What of the attributes stands in inputs and output, by the marks for it. */
  readonly cuts = new Map<TreeNode, string>()

  constructor(
    private readonly block: CallBlock,
    private readonly wire: Wire,
    private readonly span: Span,
    private readonly lookup: AttributeLookup,
  ) {}

  /** The ids, the name and the run. Returns whether all ids are the span's own. */
  writeIds(): boolean {
    const { block, span } = this
    const ids = [
      this.#id('id', FIELDS.callId, 'call_id', span.spanId),
      this.#id('trace_id', FIELDS.traceId, 'trace_id', span.traceId),
      this.#id('parent_id', FIELDS.parentId, 'parent_id', span.parentId),
    ]
    const displayName = this.lookup.text(FIELDS.displayName)
    if (displayName !== undefined) block.display_name.text(displayNameOf(displayName))
    const run = this.#idText(FIELDS.runId, 'wb_run_id', RUN_ID_LIMIT)
    if (run !== undefined) block.run_id.text(run)
    this.#step('run_step', FIELDS.runStep)
    this.#step('run_step_end', FIELDS.runStepEnd)
    return ids.every((isOwn) => isOwn)
  }

  #id(column: 'id' | 'trace_id' | 'parent_id', target: readonly Source[], name: string, own: Slice): boolean {
    const said = this.#idText(target, name, ID_LIMIT)
    this.block[column].text(said ?? hexAt(this.wire.buf, own))
    return said === undefined
  }

  #idText(target: readonly Source[], name: string, limit: number): string | undefined {
    const text = this.lookup.text(target)
    if (text !== undefined && !isId(text, limit)) {
      throw new BadSpan(`the attribute ${name} has more than ${limit} characters, or control characters`)
    }
    return text
  }

  #step(column: 'run_step' | 'run_step_end', target: readonly Source[]): void {
    const text = this.lookup.text(target)
    if (text === undefined) return
    const step = Number(text)
    if (!Number.isSafeInteger(step)) throw new BadSpan(`the attribute wb_${column} is not a whole number`)
    this.block[column].number(step)
  }

  /** The thread, if it has one: a session that can't be a thread is none, and no reason to refuse a span. And its turn. */
  writeThread(): { thread: string | undefined; turn: number } {
    const { block, lookup, span, wire } = this
    this.#idText(FIELDS.ownThreadId, 'thread_id', THREAD_ID_LIMIT)
    const thread = lookup.text(FIELDS.threadId)
    if (thread === undefined || !isId(thread, THREAD_ID_LIMIT)) return { thread: undefined, turn: TURN.none }
    block.thread_id.text(thread)
    const turn = this.#turn()
    if (turn === TURN.said || turn === TURN.taken)
      block.turn_id.text(lookup.text(FIELDS.callId) ?? hexAt(wire.buf, span.spanId))
    return { thread, turn }
  }

  #turn(): number {
    const isTurn = this.lookup.text(FIELDS.isTurn)
    if (isTurn === 'true') return TURN.said
    if (isTurn === 'false') return TURN.denied
    return this.lookup.find(FIELDS.conversation) === undefined ? TURN.none : TURN.taken
  }

  /** Returns when it started, and whether both times are the span's own. */
  writeTimes(): { started: number; isOwn: boolean } {
    const { block, span, wire } = this
    const nanos = (at: number) => (at < 0 ? 0 : microsOfNanos(wire.buf, at))
    const said = this.#time(FIELDS.startTime)
    const started = said ?? nanos(span.start)
    if (!isStorableTime(started)) throw new BadSpan('start_time_unix_nano is missing or after the year 2254')
    block.started_at.number(started)
    const saidEnd = this.#time(FIELDS.endTime)
    const ended = saidEnd ?? nanos(span.end)
    if (ended !== 0 && !isStorableTime(ended)) throw new BadSpan('end_time_unix_nano is after the year 2254')
    block.ended_at.number(ended)
    return { started, isOwn: said === undefined && saidEnd === undefined }
  }

  /** A time that overrides the span's: ISO 8601, whole ns, or seconds with a fraction; undefined if it is no time. */
  #time(target: readonly Source[]): number | undefined {
    const text = this.lookup.text(target)
    if (text === undefined) return undefined
    const micros = /^\d{1,20}$/.test(text)
      ? Number(BigInt(text) / 1000n)
      : /^\d+\.\d+$/.test(text)
        ? Math.floor(Number(text) * 1_000_000)
        : microsOf(text)
    return isStorableTime(micros) ? micros : undefined
  }

  /** Whether it failed, and why: the status, else an event `exception`, else an attribute. */
  writeException(): void {
    const { block, lookup, span, wire } = this
    const { statusCode, message } = span
    const failed = statusCode === STATUS_ERROR || lookup.text(FIELDS.level) === 'ERROR'
    block.span_status.int(failed ? STATUS_ERROR : statusCode === STATUS_OK ? STATUS_OK : 0)
    if (!failed) return
    const said = wire.buf.toString('utf8', message.from, message.to)
    block.exception.text(
      said || (exceptionOf(wire, span) ?? lookup.text(FIELDS.errorMessage) ?? NAMELESS_ERROR),
    )
  }

  /** Inputs and output: of the attributes, else of the events. Returns whether there are any. */
  writeContent(): boolean {
    const { lookup, span, wire } = this
    const inputs = lookup.first(lookup.keys.placesOf(INPUTS, true))
    const output = lookup.first(lookup.keys.placesOf(OUTPUT, true))
    const events = inputs && output ? undefined : contentOf(wire, span)
    if (inputs !== undefined) this.#value('inputs', inputs)
    else this.#eventText('inputs', events?.inputs)
    if (output !== undefined) this.#value('output', output)
    else this.#eventText('output', events?.output)
    return [inputs, output, events?.inputs, events?.output].some((said) => said !== undefined)
  }

  #value(name: 'inputs' | 'output', { place: { key, node, reading }, json }: Found): void {
    const column = this.block[name]
    const isBare = reading.bare === true && (name === 'output' || json.startsWith('{'))
    const answer = reading.unanswered ? answerAt(Buffer.from(json), 0, Buffer.byteLength(json)) : undefined
    if (isBare) column.text(json)
    else if (answer === undefined) putJson(column, `{${JSON.stringify(key)}:${json}}`)
    else {
      putJson(column, `{${JSON.stringify(key)}:${Buffer.from(json).toString('utf8', 0, answer)}]}`)
      indexJson(this.block.leaves, name, column.buf, column.pos - column.lastLength, column.pos)
      return
    }
    const path = isBare ? rootHash[name] : hashBelow(rootHash[name], key)
    this.lookup.addLeaves(this.block.leaves, node, path)
    const [mark, markOfValue] =
      name === 'inputs' ? [MARKS.inputs, MARKS.inputsValue] : [MARKS.output, MARKS.outputValue]
    if (!this.cuts.has(node)) this.cuts.set(node, isBare ? mark : markOfValue)
  }

  #eventText(name: 'inputs' | 'output', text: Buffer | undefined): void {
    const column = this.block[name]
    if (text === undefined) column.text(name === 'inputs' ? '{}' : '')
    else {
      column.bytes(text, 0, text.length)
      indexJson(this.block.leaves, name, text, 0, text.length)
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
  const role = buf[last] === 123 ? lookupIn(buf, { from: last, to: to - 1 }, ['role']) : undefined
  if (role === undefined || buf.toString('latin1', role.from, role.to) !== '"assistant"') return undefined
  return last - 1 > from ? last - 1 : last
}

/** A parent of zeros is none. */
function checkIds(span: Span, buf: Buffer): void {
  if (!isWireId(buf, span.traceId, 16)) throw new BadSpan('trace_id must be 16 bytes, not all zero')
  if (!isWireId(buf, span.spanId, 8)) throw new BadSpan('span_id must be 8 bytes, not all zero')
  const { from, to } = span.parentId
  if (isWireId(buf, span.parentId, 8)) return
  if (buf.subarray(from, to).some((byte) => byte !== 0))
    throw new BadSpan('parent_span_id must be empty or 8 bytes')
  span.parentId = NOWHERE
}

/** Whether it is an id of `size` bytes, not all zero. */
export function isWireId(buf: Buffer, { from, to }: Slice, size: number): boolean {
  return to - from === size && buf.subarray(from, to).some((byte) => byte !== 0)
}

/** The bytes as lower-case hex. */
export function hexAt(buf: Buffer, { from, to }: Slice): string {
  return buf.toString('hex', from, to)
}

function hashOf(text: string): number {
  const bytes = Buffer.from(text)
  return hashBytes(0, bytes, 0, bytes.length)
}

/** As the walker writes what it makes of several pieces. */
function putJson(column: StringColumn, json: string): void {
  column.open()
  column.utf8(json)
  column.close()
}

/** A display name: one of 1024 characters or more ends in `...`. */
function displayNameOf(name: string): string {
  if (name.length < DISPLAY_NAME_LIMIT) return name
  const characters = [...name]
  return characters.length < DISPLAY_NAME_LIMIT
    ? name
    : `${characters.slice(0, DISPLAY_NAME_LIMIT - 3).join('')}...`
}
