/**
 * Writes rows of calls as JSON lines: every key of the contract, or those selected, stored JSON texts unchanged, with
 * derived parts spliced in. Work common to a list's lines is done once; a row costs only its bytes.
 */

import { clientName } from '../../../contract/aliases.js'
import { type Bytes, viewOf } from '../../../platform/bytes/bytes.js'
import { Lru } from '../../../platform/lru/lru.js'
import { costsMember, type Prices } from '../../costs/pricing.js'
import { CALL_COLUMNS, type CallColumnSpec } from '../schema.js'
import { NEVER, UNSET_INTEGER } from '../unset.js'
import type { Column } from './columns.js'
import { cutTexts } from './cut-texts.js'
import { jsonText } from './json-text.js'
import { type ColumnName, LARGE_BYTES, LARGE_CUT_BYTES, type LineOptions } from './line.js'
import type { RowColumn, RowCursor } from './row.js'
import { SpanText } from './span-text.js'
import { writeTime } from './write-time.js'

/** Appends a value of the current row. */
type Value = (out: Bytes) => void

/** A part of every line: constant text, then a value. */
interface Part {
  readonly text: DataView
  readonly value: Value
}

/** The value in a line for a column that is unset or was not selected. */
const EMPTY: Partial<Record<string, string>> = { attributes: '{}', inputs: '{}' }

/** The number of op names cached with their trace names. */
const KEPT = 1000

export class LineWriter {
  private readonly parts: readonly Part[]
  private readonly end: DataView
  private readonly spanText: SpanText
  private readonly traceNames = new Lru<Buffer>(KEPT)

  /** Writes the rows that `row` points to. @param prices absent: lines contain no costs */
  constructor(
    private readonly row: RowCursor,
    private readonly options: LineOptions,
    private readonly prices?: Prices,
  ) {
    this.spanText = new SpanText(row)
    const parts: Part[] = []
    let text = ''
    const add = (value: Value) => {
      parts.push({ text: viewOf(Buffer.from(text)), value })
      text = ''
    }
    for (const column of CALL_COLUMNS) {
      const { field } = column
      if (field === null) continue
      if (options.isSparse && !options.columns.has(field)) continue
      if (column.kind === 'expiry' && !options.isSparse) text += ',"deleted_at":null'
      const value = this.valueOf(column, field)
      for (const name of new Set([field, clientName(field)])) {
        text += `${parts.length === 0 ? '{' : ','}"${name}":`
        if (typeof value === 'string') text += value
        else add(value)
      }
    }
    const bytes = row.indexOf('bytes')
    const sizes: [string, Value | undefined][] = [
      ['storage_size_bytes', options.storageSize ? (out) => out.utf8(String(row.whole(bytes))) : undefined],
      ['total_storage_size_bytes', options.traceSize ? this.traceSize() : undefined],
    ]
    for (const [name, value] of sizes) {
      if (value === undefined && options.isSparse) continue
      text += `,"${name}":`
      if (value === undefined) text += 'null'
      else add(value)
    }
    if (options.usernames) add(this.username())
    if (options.columns.has('span_name')) {
      text += ',"span_name":'
      add(this.textOrNull('span_name'))
    }
    this.parts = parts
    this.end = viewOf(Buffer.from(`${text}}\n`))
  }

  /** Appends the row's line. */
  write(out: Bytes): void {
    const { parts, end } = this
    for (let i = 0; i < parts.length; i++) {
      const { text, value } = parts[i]!
      out.copyView(text, 0, text.byteLength)
      value(out)
    }
    out.copyView(end, 0, end.byteLength)
  }

  /** The writer of a column, or its constant text. */
  private valueOf({ name, kind }: CallColumnSpec, field: Column): Value | string {
    if (name === 'project_id') return JSON.stringify(this.options.project)
    if (name === 'summary') return this.summary()
    const empty = EMPTY[name] ?? 'null'
    if (!this.options.columns.has(field)) return empty
    const { row } = this
    const index = row.indexOf(name as ColumnName)
    switch (kind) {
      case 'text':
        return (out) => jsonText(out, row.bytes, row.from[index], row.to[index])
      case 'textOrUnset':
        return this.textOrNull(name as ColumnName)
      case 'time':
        return (out) => quotedTime(out, row.whole(index))
      case 'timeOrUnset':
        return (out) => timeOrNull(out, row.whole(index))
      case 'integerOrUnset':
        return (out) => {
          const integer = row.int64(index)
          out.utf8(integer === UNSET_INTEGER ? 'null' : String(integer))
        }
      case 'expiry':
        return (out) => {
          const seconds = row.uint32(index)
          if (seconds === NEVER) out.utf8('null')
          else quotedTime(out, seconds * 1e6)
        }
      default:
        return this.cut(name === 'attributes' ? this.attributes() : this.document(field, index, empty))
    }
  }

  private textOrNull(column: RowColumn): Value {
    const { row } = this
    const index = row.indexOf(column)
    return (out) => {
      if (row.from[index] === row.to[index]) out.utf8('null')
      else jsonText(out, row.bytes, row.from[index], row.to[index])
    }
  }

  /** The same value, with its texts cut if lines have short texts. */
  private cut(value: Value): Value {
    if (this.options.textBytes === undefined) return value
    return (out) => {
      const from = out.pos
      value(out)
      this.shorten(out, from, out.pos - from, note)
    }
  }

  /**
   * Cuts the texts of the value at the end of `out`, if lines have short texts.
   * @param size of the value @param instead writes what stands for one that is still too large
   */
  private shorten(out: Bytes, from: number, size: number, instead: (out: Bytes, size: number) => void): void {
    const { textBytes } = this.options
    if (textBytes === undefined || size <= textBytes) return
    cutTexts(out, from, textBytes)
    if (out.pos - from <= LARGE_CUT_BYTES) return
    out.pos = from
    instead(out, size)
  }

  private takesAll(column: Column): boolean {
    const { whole } = this.options
    return whole === 'all' || whole.has(column)
  }

  private document(column: Column, index: number, empty: string): Value {
    const { row } = this
    const most = this.takesAll(column) ? Number.POSITIVE_INFINITY : LARGE_BYTES
    return (out) => {
      const from = row.from[index]!
      const to = row.to[index]!
      if (from === to) out.utf8(empty)
      else if (to - from > most) note(out, to - from)
      else out.copyView(row.view, from, to)
    }
  }

  /** The attributes, with the exporter's span inside. */
  private attributes(): Value {
    const { row, spanText } = this
    const { from, to } = row
    const index = row.indexOf('attributes')
    const span = row.indexOf('otel_span')
    const most = this.takesAll('attributes') ? Number.POSITIVE_INFINITY : LARGE_BYTES
    return (out) => {
      const start = from[index]!
      const size = to[index]! - start
      if (most !== Number.POSITIVE_INFINITY) {
        const all = size + spanText.size()
        if (all > most) {
          note(out, all)
          return
        }
      }
      if (from[span] === to[span]) {
        if (size > 0) out.copyView(row.view, start, start + size)
        else out.utf8('{}')
        return
      }
      if (size < 3) out.utf8('{')
      else {
        out.copyView(row.view, start, start + size - 1)
        out.utf8(',')
      }
      out.utf8('"otel_span":')
      spanText.write(out)
      out.utf8('}')
    }
  }

  /** The derived key first, whatever was selected, then the client's content. */
  private summary(): Value {
    const { row, prices } = this
    const { from, to } = row
    const [started, ended] = [row.indexOf('started_at'), row.indexOf('ended_at')]
    const firstToken = row.indexOf('first_token')
    const [displayName, opName] = [row.indexOf('display_name'), row.indexOf('op_name')]
    const summary = this.options.columns.has('summary') ? row.indexOf('summary') : -1
    const most = this.takesAll('summary') ? Number.POSITIVE_INFINITY : LARGE_BYTES
    const status = this.status()
    return (out) => {
      status(out)
      const endedAt = row.whole(ended)
      if (endedAt !== 0) {
        out.utf8(',"latency_ms":')
        out.utf8(String(Math.trunc((endedAt - row.whole(started)) / 1000)))
      }
      const untilFirst = row.uint32(firstToken)
      if (untilFirst > 0) out.utf8(`,"time_to_first_token_ms":${untilFirst / 1000}`)
      if (from[displayName]! < to[displayName]!) {
        out.utf8(',"display_name":')
        jsonText(out, row.bytes, from[displayName], to[displayName])
      } else {
        out.utf8(',"trace_name":')
        this.traceName(out, from[opName]!, to[opName]!)
      }
      if (prices) out.utf8(costsMember(prices, row.text(summary), row.whole(started)))
      const size = summary < 0 ? 0 : to[summary]! - from[summary]!
      if (size < 3) out.utf8('}}')
      else if (size > most) omitted(out, size)
      else {
        const begin = out.pos
        out.utf8('},')
        out.copyView(row.view, from[summary]! + 1, to[summary]!)
        this.shorten(out, begin, size, omitted)
      }
    }
  }

  /** The size of the trace, for a root. */
  private traceSize(): Value {
    const { row } = this
    const [parent, bytes] = [row.indexOf('parent_id'), row.indexOf('trace_bytes')]
    return (out) => out.utf8(row.from[parent] === row.to[parent] ? String(row.whole(bytes)) : 'null')
  }

  /** Omitted if unknown. */
  private username(): Value {
    const { row } = this
    const index = row.indexOf('username')
    const names = ['platform_username', clientName('platform_username')]
    return (out) => {
      if (row.from[index] === row.to[index]) return
      for (const name of names) {
        out.utf8(`,"${name}":`)
        jsonText(out, row.bytes, row.from[index], row.to[index])
      }
    }
  }

  /** error, running, descendant_error or success; contract §2 */
  private status(): Value {
    const { row } = this
    const [exception, ended, errors] = [
      row.indexOf('exception'),
      row.indexOf('ended_at'),
      row.indexOf('descendant_errors'),
    ]
    const text = (status: string) => viewOf(Buffer.from(`{"weave":{"status":"${status}"`))
    const [error, running] = [text('error'), text('running')]
    const [descendantError, success] = [text('descendant_error'), text('success')]
    const statusOf = () => {
      if (row.from[exception]! < row.to[exception]!) return error
      if (row.whole(ended) === 0) return running
      return row.uint32(errors) > 0 ? descendantError : success
    }
    return (out) => {
      const status = statusOf()
      out.copyView(status, 0, status.byteLength)
    }
  }

  private traceName(out: Bytes, from: number, to: number): void {
    const opName = this.row.bytes.toString('latin1', from, to)
    let name = this.traceNames.get(opName)
    if (name === undefined) {
      name = traceNameOf(opName)
      this.traceNames.set(opName, name)
    }
    jsonText(out, name)
  }
}

/** A time, or null if it is 0, which means unset. */
function timeOrNull(out: Bytes, micros: number): void {
  if (micros === 0) out.utf8('null')
  else quotedTime(out, micros)
}

function quotedTime(out: Bytes, micros: number): void {
  out.byte(0x22)
  writeTime(out, micros)
  out.byte(0x22)
}

/** Replaces a value over the limit: an object, since inputs and attributes are. */
function note(out: Bytes, size: number): void {
  out.utf8('{"_omitted":{"bytes":')
  out.utf8(`${size}}}`)
}

/** The same for the client's content of a summary, at its end. */
function omitted(out: Bytes, size: number): void {
  out.utf8('},"_omitted":{"bytes":')
  out.utf8(`${size}}}`)
}

/** The name in an op ref, or the whole op name. One character per byte here. */
function traceNameOf(opName: string): Buffer {
  if (!opName.startsWith('weave:///')) return Buffer.from(opName, 'latin1')
  const name = opName.replace(/^weave:\/\/\/.*\/op\/([^/:]+):.*$/s, '$1')
  return Buffer.from(
    name.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
    'latin1',
  )
}
