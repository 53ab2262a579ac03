/**
 * Writes a row of a call as one line of JSON: byte for byte what the SQL of `line.ts` makes of it, which explains the
 * rules. For short lists, whose line the engine would take longer to plan than to write.
 */
import type { Bytes } from '../../../platform/bytes/bytes.js'
import { isoOfMicros } from '../../../platform/time/iso.js'
import { MARKS } from '../otel-span.js'
import { NEVER, UNSET_INTEGER } from '../unset.js'
import type { Column } from './columns.js'
import { jsonText } from './json-text.js'
import { LARGE_BYTES, type LineOptions } from './line.js'
import type { CallRow, TextColumn } from './row.js'

/** Appends the line of `row` and its end to `out`. @param costs what it cost, as a member of `summary.weave`, or '' */
export function writeLine(out: Bytes, row: CallRow, options: LineOptions, costs: string): void {
  new Line(out, row, options, costs).write()
}

class Line {
  constructor(
    private readonly out: Bytes,
    private readonly row: CallRow,
    private readonly options: LineOptions,
    private readonly costs: string,
  ) {}

  write(): void {
    const { out, row, options } = this
    const userId = () => this.textOrNull('platform_user_id', 'user_id')
    const runId = () => this.textOrNull('platform_run_id', 'run_id')
    out.utf8('{"id":')
    jsonText(out, row.id)
    out.utf8(`,"project_id":${JSON.stringify(options.project)},"op_name":`)
    jsonText(out, row.op_name)
    out.utf8(',"trace_id":')
    jsonText(out, row.trace_id)
    out.utf8(`,"started_at":"${isoOfMicros(row.started_at)}"`)
    this.member('display_name', () => this.textOrNull('display_name'))
    this.member('parent_id', () => this.textOrNull('parent_id'))
    this.member('thread_id', () => this.textOrNull('thread_id'))
    this.member('turn_id', () => this.textOrNull('turn_id'))
    const ended = this.has('ended_at') && row.ended_at !== 0
    this.member('ended_at', () => out.utf8(ended ? `"${isoOfMicros(row.ended_at)}"` : 'null'))
    this.member('exception', () => this.textOrNull('exception'))
    this.member('attributes', () => (this.has('attributes') ? this.attributes() : out.utf8('{}')))
    this.member('inputs', () => (this.has('inputs') ? this.document('inputs', '{}') : out.utf8('{}')))
    this.member('output', () => (this.has('output') ? this.document('output', 'null') : out.utf8('null')))
    this.member('summary', () => this.summary())
    for (const name of ['platform_user_id', 'wb_user_id']) this.member(name, userId)
    for (const name of ['platform_run_id', 'wb_run_id']) this.member(name, runId)
    for (const name of ['platform_run_step', 'wb_run_step'])
      this.member(name, () => this.step('platform_run_step', row.run_step))
    for (const name of ['platform_run_step_end', 'wb_run_step_end'])
      this.member(name, () => this.step('platform_run_step_end', row.run_step_end))
    out.utf8(',"deleted_at":null')
    const expires = this.has('expire_at') && row.expire_at !== NEVER
    this.member('expire_at', () => out.utf8(expires ? `"${isoOfMicros(row.expire_at * 1e6)}"` : 'null'))
    out.utf8(`,"storage_size_bytes":${options.storageSize ? row.bytes : 'null'}`)
    out.utf8(',"total_storage_size_bytes":null}\n')
  }

  private has(column: Column): boolean {
    return this.options.columns.has(column)
  }

  private takesAll(column: Column): boolean {
    const { whole } = this.options
    return whole === 'all' || whole.has(column)
  }

  private member(name: string, value: () => void): void {
    this.out.utf8(`,"${name}":`)
    value()
  }

  private bytes(text: Buffer, from = 0, to = text.length): void {
    this.out.copy(text, from, to)
  }

  private textOrNull(column: Column & string, from: TextColumn = column as TextColumn): void {
    const text = this.row[from]
    if (this.has(column) && text.length > 0) jsonText(this.out, text)
    else this.out.utf8('null')
  }

  private step(column: Column, step: bigint): void {
    this.out.utf8(this.has(column) && step !== UNSET_INTEGER ? String(step) : 'null')
  }

  private note(size: number): void {
    this.out.utf8(`{"_omitted":{"bytes":${size}}}`)
  }

  private document(name: 'inputs' | 'output', unset: string): void {
    const text = this.row[name]
    if (text.length === 0) this.out.utf8(unset)
    else if (text.length > LARGE_BYTES && !this.takesAll(name)) this.note(text.length)
    else this.bytes(text)
  }

  private attributes(): void {
    const { attributes, otel_span, otel_shape, otel_origin, inputs, output } = this.row
    const shared =
      otel_shape.length === 0 ? 0 : otel_shape.length + otel_origin.length + inputs.length + output.length
    const size = attributes.length + otel_span.length + shared
    if (size > LARGE_BYTES && !this.takesAll('attributes')) this.note(size)
    else if (otel_span.length > 0) this.attributesWithSpan()
    else if (attributes.length > 0) this.bytes(attributes)
    else this.out.utf8('{}')
  }

  private attributesWithSpan(): void {
    const { attributes, otel_span, otel_shape } = this.row
    if (attributes.length < 3) this.out.utf8('{')
    else {
      this.bytes(attributes, 0, attributes.length - 1)
      this.out.utf8(',')
    }
    this.out.utf8('"otel_span":')
    if (otel_shape.length === 0) this.bytes(otel_span)
    else this.otelSpan()
    this.out.utf8('}')
  }

  /** The shape with the values in their places; `domain/calls/otel-span.ts` has the marks. */
  private otelSpan(): void {
    const { otel_span, otel_shape, otel_origin, inputs, output, trace_id, id, parent_id } = this.row
    let value = 0
    let from = 0
    for (let at = 0; at < otel_shape.length; at++) {
      const byte = otel_shape[at]!
      if (byte < VALUE || byte > PARENT_ID) continue
      this.bytes(otel_shape, from, at)
      from = at + 1
      if (byte === VALUE) value = this.spanValue(otel_span, value)
      else if (byte === INPUTS) this.bytes(inputs)
      else if (byte === INPUTS_VALUE) this.onlyValue(inputs)
      else if (byte === OUTPUT) this.bytes(output)
      else if (byte === OUTPUT_VALUE) this.onlyValue(output)
      else if (byte === TRACE_ID) this.bytes(trace_id)
      else this.bytes(byte === ID ? id : parent_id)
    }
    this.bytes(otel_shape, from)
    // After the last mark stands what few spans have: events, links, counts of what was dropped.
    this.bytes(otel_span, Math.min(value, otel_span.length))
    this.bytes(otel_origin)
  }

  /** The value at `from`, up to the next mark; returns where the next one begins. */
  private spanValue(values: Buffer, from: number): number {
    const end = values.indexOf(VALUE, from)
    const to = end < 0 ? values.length : end
    this.bytes(values, from, to)
    return to + 1
  }

  /** The value of a JSON object that has one key, without a colon in its name. */
  private onlyValue(document: Buffer): void {
    this.bytes(document, document.indexOf(0x3a) + 1, document.length - 1)
  }

  private summary(): void {
    const { out, row } = this
    const { started_at, ended_at, display_name, summary } = row
    out.utf8(`{"weave":{"status":"${statusOf(row)}"`)
    if (ended_at !== 0) out.utf8(`,"latency_ms":${Math.trunc((ended_at - started_at) / 1000)}`)
    out.utf8(display_name.length > 0 ? ',"display_name":' : ',"trace_name":')
    jsonText(out, display_name.length > 0 ? display_name : traceName(row.op_name))
    out.utf8(this.costs)
    if (!this.has('summary') || summary.length < 3) out.utf8('}}')
    else if (summary.length > LARGE_BYTES && !this.takesAll('summary'))
      out.utf8(`},"_omitted":{"bytes":${summary.length}}}`)
    else {
      out.utf8('},')
      this.bytes(summary, 1)
    }
  }
}

const mark = (text: string) => text.charCodeAt(0)
const VALUE = mark(MARKS.value)
const INPUTS = mark(MARKS.inputs)
const INPUTS_VALUE = mark(MARKS.inputsValue)
const OUTPUT = mark(MARKS.output)
const OUTPUT_VALUE = mark(MARKS.outputValue)
const TRACE_ID = mark(MARKS.traceId)
const ID = mark(MARKS.id)
const PARENT_ID = mark(MARKS.parentId)

function statusOf({ exception, ended_at, descendant_errors }: CallRow): string {
  if (exception.length > 0) return 'error'
  if (ended_at === 0) return 'running'
  return descendant_errors > 0 ? 'descendant_error' : 'success'
}

const REF = Buffer.from('weave:///')

/** The name in an op ref, or the whole op name. Bytes are characters here. */
function traceName(opName: Buffer): Buffer {
  if (opName.subarray(0, REF.length).compare(REF) !== 0) return opName
  const name = opName.toString('latin1').replace(/^weave:\/\/\/.*\/op\/([^/:]+):.*$/s, '$1')
  return Buffer.from(
    name.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
    'latin1',
  )
}
