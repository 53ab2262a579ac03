/**
 * Writes rows of calls as lines of JSON: every key of the contract, stored JSON texts as they are, the derived parts
 * spliced into them. What lines of one list have in common is worked out once; a row costs its bytes.
 */

import { clientName } from '../../../contract/aliases.js'
import { type Bytes, viewOf } from '../../../platform/bytes/bytes.js'
import { Lru } from '../../../platform/lru/lru.js'
import { costsMember, type Prices } from '../../costs/pricing.js'
import { CALL_COLUMNS, type CallColumnSpec } from '../schema.js'
import { NEVER, UNSET_INTEGER } from '../unset.js'
import type { Column } from './columns.js'
import { jsonText } from './json-text.js'
import { type ColumnName, LARGE_BYTES, type LineOptions } from './line.js'
import type { RowCursor } from './row.js'
import { SpanText } from './span-text.js'
import { writeTime } from './write-time.js'

/** Appends a value of the row that is being written. */
type Value = (out: Bytes) => void

/** A stretch of every line: text that is always the same, then a value. */
interface Part {
  readonly text: DataView
  readonly value: Value
}

/** What a line holds for a column that was not asked for, or is unset. */
const EMPTY: Partial<Record<string, string>> = { attributes: '{}', inputs: '{}' }

/** Names of ops that are remembered with the name of what they trace. */
const KEPT = 1000

export class LineWriter {
  private readonly parts: readonly Part[]
  private readonly end: DataView
  private readonly spanText: SpanText
  private readonly traceNames = new Lru<Buffer>(KEPT)

  /**
   * Writes the rows that `row` stands on.
   * @param prices absent: lines don't say what calls cost
   */
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
      if (column.kind === 'expiry') text += ',"deleted_at":null'
      const value = this.valueOf(column, field)
      for (const name of new Set([field, clientName(field)])) {
        text += `${parts.length === 0 ? '{' : ','}"${name}":`
        if (typeof value === 'string') text += value
        else add(value)
      }
    }
    text += ',"storage_size_bytes":'
    const bytes = row.place('bytes')
    if (options.storageSize) add((out) => out.utf8(String(row.whole(bytes))))
    else text += 'null'
    text += ',"total_storage_size_bytes":'
    if (options.traceSize) add(this.traceSize())
    else text += 'null'
    if (options.usernames) add(this.username())
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

  /** How a column is written, or what stands in every line. */
  private valueOf({ name, kind }: CallColumnSpec, field: Column): Value | string {
    if (name === 'project_id') return JSON.stringify(this.options.project)
    if (name === 'summary') return this.summary()
    const empty = EMPTY[name] ?? 'null'
    if (!this.options.columns.has(field)) return empty
    const { row } = this
    const place = row.place(name as ColumnName)
    switch (kind) {
      case 'text':
        return (out) => jsonText(out, row.bytes, row.from[place], row.to[place])
      case 'textOrUnset':
        return (out) => {
          if (row.from[place] === row.to[place]) out.utf8('null')
          else jsonText(out, row.bytes, row.from[place], row.to[place])
        }
      case 'time':
        return (out) => quotedTime(out, row.whole(place))
      case 'timeOrUnset':
        return (out) => timeOrNull(out, row.whole(place))
      case 'integerOrUnset':
        return (out) => {
          const integer = row.int64(place)
          out.utf8(integer === UNSET_INTEGER ? 'null' : String(integer))
        }
      case 'expiry':
        return (out) => {
          const seconds = row.uint32(place)
          if (seconds === NEVER) out.utf8('null')
          else quotedTime(out, seconds * 1e6)
        }
      default:
        return name === 'attributes' ? this.attributes() : this.document(field, place, empty)
    }
  }

  private takesAll(column: Column): boolean {
    const { whole } = this.options
    return whole === 'all' || whole.has(column)
  }

  private document(column: Column, place: number, empty: string): Value {
    const { row } = this
    const most = this.takesAll(column) ? Number.POSITIVE_INFINITY : LARGE_BYTES
    return (out) => {
      const from = row.from[place]!
      const to = row.to[place]!
      if (from === to) out.utf8(empty)
      else if (to - from > most) note(out, to - from)
      else out.copyView(row.view, from, to)
    }
  }

  /** The span that an exporter sent stands inside the attributes. */
  private attributes(): Value {
    const { row, spanText } = this
    const { from, to } = row
    const place = row.place('attributes')
    const span = row.place('otel_span')
    const most = this.takesAll('attributes') ? Number.POSITIVE_INFINITY : LARGE_BYTES
    return (out) => {
      const start = from[place]!
      const size = to[place]! - start
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

  /** The derived key comes first, whatever was selected, then what the client sent. */
  private summary(): Value {
    const { row, prices } = this
    const { from, to } = row
    const [started, ended] = [row.place('started_at'), row.place('ended_at')]
    const [displayName, opName] = [row.place('display_name'), row.place('op_name')]
    const summary = this.options.columns.has('summary') ? row.place('summary') : -1
    const most = this.takesAll('summary') ? Number.POSITIVE_INFINITY : LARGE_BYTES
    const status = this.status()
    return (out) => {
      status(out)
      const endedAt = row.whole(ended)
      if (endedAt !== 0) {
        out.utf8(',"latency_ms":')
        out.utf8(String(Math.trunc((endedAt - row.whole(started)) / 1000)))
      }
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
      else if (size > most) {
        out.utf8('},"_omitted":{"bytes":')
        out.utf8(`${size}}}`)
      } else {
        out.utf8('},')
        out.copyView(row.view, from[summary]! + 1, to[summary]!)
      }
    }
  }

  /** Of a root: what its trace holds. */
  private traceSize(): Value {
    const { row } = this
    const [parent, bytes] = [row.place('parent_id'), row.place('trace_bytes')]
    return (out) => out.utf8(row.from[parent] === row.to[parent] ? String(row.whole(bytes)) : 'null')
  }

  /** Left out where nobody knows it. */
  private username(): Value {
    const { row } = this
    const place = row.place('username')
    const names = ['platform_username', clientName('platform_username')]
    return (out) => {
      if (row.from[place] === row.to[place]) return
      for (const name of names) {
        out.utf8(`,"${name}":`)
        jsonText(out, row.bytes, row.from[place], row.to[place])
      }
    }
  }

  /** error, running, descendant_error or success; contract §2 */
  private status(): Value {
    const { row } = this
    const [exception, ended, errors] = [
      row.place('exception'),
      row.place('ended_at'),
      row.place('descendant_errors'),
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

/** A time that may be unset, which is 0 then. */
function timeOrNull(out: Bytes, micros: number): void {
  if (micros === 0) out.utf8('null')
  else quotedTime(out, micros)
}

function quotedTime(out: Bytes, micros: number): void {
  out.byte(0x22)
  writeTime(out, micros)
  out.byte(0x22)
}

/** Stands for a value over the limit: an object, since inputs and attributes are. */
function note(out: Bytes, size: number): void {
  out.utf8('{"_omitted":{"bytes":')
  out.utf8(`${size}}}`)
}

/** The name in an op ref, or the whole op name. Bytes are characters here. */
function traceNameOf(opName: string): Buffer {
  if (!opName.startsWith('weave:///')) return Buffer.from(opName, 'latin1')
  const name = opName.replace(/^weave:\/\/\/.*\/op\/([^/:]+):.*$/s, '$1')
  return Buffer.from(
    name.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
    'latin1',
  )
}
