/** Makes a call of a span: one row, by the plan of the span's attribute keys. See `ingest/otlp/call.ts`. */
import { writeAgent } from './agent'
import { writeAttributes } from './attribute'
import { setHex, setText } from './column'
import * as content from './content'
import { exception as exceptionByHost } from './host'
import { writeLabels } from './labels'
import * as layout from './layout'
import * as literal from './literal'
import { addOtherLeavesOf, first, firstText, from, isText, to } from './lookup'
import { FULL, fail, failure, UNSUPPORTED, writeTo } from './output'
import {
  countOf,
  displayNameOf,
  errorMessageOf,
  inputsOf,
  levelOf,
  nesting,
  outputOf,
  spanLeavesOf,
  unusualOf,
} from './plan'
import * as span from './span'
import { writeSpan } from './template'
import { isUtf8 } from './text'
import * as thread from './thread'
import { findUsage, writeUsage } from './usage'

/** µs of the year 2255: see `platform/time/micros.ts`. */
const END: u64 = 8_993_721_600_000_000
const STATUS_OK: u32 = 1
const STATUS_ERROR: u32 = 2
/** Display names that are surely short enough. */
const MAX_NAME: usize = 1023

/** Writes the columns that the span and its plan determine. */
export function writeCall(plan: usize, row: usize): void {
  writeTo(layout.NESTED, layout.NESTED + layout.NESTED_SIZE)
  writeAttributes(layout.ATTRIBUTES, nesting(plan), layout.STARTS)
  if (failure() !== 0) return
  if (countOf(unusualOf(plan)) > 0 && first(unusualOf(plan)) !== 0) fail(UNSUPPORTED)
  if (firstText(displayNameOf(plan))) {
    if (to - from > MAX_NAME) fail(UNSUPPORTED)
    else setText(layout.display_name, from, to)
  }
  thread.writeThread(plan)
  writeKinds(row)
  const own = writeAgent(plan, row, thread.length)
  store<u8>(layout.own_conversation + row, own ? 1 : 0)
  setHex(layout.id, span.spanIdFrom, span.spanIdFrom + 8)
  setHex(layout.trace_id, span.traceIdFrom, span.traceIdFrom + 16)
  if (span.parentIdFrom !== 0) setHex(layout.parent_id, span.parentIdFrom, span.parentIdFrom + 8)
  writeTimes(row)
  writeLabels(plan, row, load<u64>(layout.started_at + row * 8))
  writeStatus(plan, row)
  if (failure() === 0) writeContents(plan, row)
}

/** Sets the numbers of a row that nearly all have, and clears those that few have. */
function writeKinds(row: usize): void {
  store<u8>(layout.span_kind + row, (span.kind < 6 ? span.kind : 0) + 1)
  store<u32>(layout.input_tokens + row * 4, 0)
  store<u32>(layout.output_tokens + row * 4, 0)
  store<u32>(layout.reasoning_tokens + row * 4, 0)
  store<u32>(layout.cache_creation_input_tokens + row * 4, 0)
  store<u32>(layout.cache_read_input_tokens + row * 4, 0)
}

function writeTimes(row: usize): void {
  const started = span.start === 0 ? 0 : load<u64>(span.start) / 1000
  const ended = span.end === 0 ? 0 : load<u64>(span.end) / 1000
  if (started === 0 || started >= END || ended >= END) fail(UNSUPPORTED)
  store<u64>(layout.started_at + row * 8, started)
  store<u64>(layout.ended_at + row * 8, ended)
}

/** Whether it failed, and why: the status, else an event `exception`, else an attribute. */
function writeStatus(plan: usize, row: usize): void {
  const isError = firstText(levelOf(plan)) && isText(0x524f525245, 5)
  const failed = span.statusCode === STATUS_ERROR || isError
  store<u8>(layout.span_status + row, failed ? STATUS_ERROR : span.statusCode === STATUS_OK ? STATUS_OK : 0)
  if (!failed) return
  if (span.messageFrom < span.messageTo) {
    if (!isUtf8(span.messageFrom, span.messageTo)) fail(UNSUPPORTED)
    setText(layout.exception, span.messageFrom, span.messageTo)
    return
  }
  const length = span.eventCount > 0 ? exceptionByHost(layout.TEXT, layout.TEXT + layout.TEXT_SIZE) : -1
  if (length === -2) fail(FULL)
  else if (length >= 0) setText(layout.exception, layout.TEXT, layout.TEXT + length)
  else if (firstText(errorMessageOf(plan))) setText(layout.exception, from, to)
  else setText(layout.exception, literal.fromOf(literal.namelessError), literal.toOf(literal.namelessError))
}

/** Writes inputs, output, attributes, the summary, and the span's text. */
function writeContents(plan: usize, row: usize): void {
  const hasEvents = span.eventCount > 0
  let recognised = false
  let inputsCut = content.NO_CUT
  let outputCut = content.NO_CUT
  const input = first(inputsOf(plan))
  if (input !== 0) inputsCut = content.writeValue(layout.inputs, input)
  else recognised = content.writeContent(layout.inputs, hasEvents)
  let size = content.size
  const output = first(outputOf(plan))
  if (output !== 0) outputCut = content.writeValue(layout.output, output)
  else if (content.writeContent(layout.output, hasEvents)) recognised = true
  size += content.size
  const hadUsage = findUsage(plan)
  content.writeStored(plan, recognised || hadUsage || input !== 0 || output !== 0)
  addOtherLeavesOf(spanLeavesOf(plan))
  store<u8>(layout.has_user + row, content.namesUser ? 1 : 0)
  store<u32>(layout.answer_hash + row * 4, hadUsage ? content.answerHash : 0)
  size += content.size
  size += hadUsage ? writeUsage(content.modelFrom, content.modelTo) : content.setEmpty(layout.summary)
  store<u64>(layout.bytes + row * 8, size)
  if (failure() === 0) writeSpan(plan, row, inputsCut, outputCut)
}
