/**
 * Finds the newest rows among bodies of the log and writes them in RowBinary, without the engine. Only bodies that may have
 * one of the newest are read.
 */
import type { FileWindow } from './file-window.js'
import type { NewestRows } from './from-log.js'
import { int64, keyBytes, widthOf } from './native-block.js'
import type { Frame } from './segment.js'

/** More than this is read from the table. */
const mostBytes = 4 * 1024 * 1024

/** One body, and what its file is read through. */
export type LoggedBody = { frame: Frame; window: FileWindow }

type Place = { order: number; tie: string; row: number; body: LoggedBody }

/** Rows in RowBinary, in no order; and from which value of the order on the table is to be read as well. */
export type RowsFromLog = { bytes: Buffer; since: number }

/**
 * The newest rows among `bodies`.
 * @param defaults RowBinary of columns that are not in the bodies
 * @returns undefined where they have something that only the engine can read, or are too large
 */
export function newestRows(
  bodies: readonly LoggedBody[],
  readKey: string,
  wanted: NewestRows,
  defaults: ReadonlyMap<string, Buffer>,
): RowsFromLog | undefined {
  const { limit } = wanted
  let places: Place[] = []
  let { since } = wanted
  const keepNewest = () => {
    places = places.sort(newestFirst).slice(0, limit)
    if (places.length === limit) since = Math.max(since, places.at(-1)!.order)
  }
  for (const body of bodies.toSorted((a, b) => greatestOf(b) - greatestOf(a))) {
    if (greatestOf(body) < since) break
    const found = placesIn(body, readKey, wanted, since)
    if (!found) return undefined
    for (const place of found) places.push(place)
    if (places.length >= limit) keepNewest()
  }
  const bytes = rowsAt(places, wanted.columns, defaults)
  return bytes && { bytes, since }
}

const greatestOf = ({ frame }: LoggedBody) => frame.greatest ?? Number.MAX_VALUE

function newestFirst(a: Place, b: Place): number {
  return b.order - a.order || (a.tie < b.tie ? 1 : -1)
}

/** The rows of one body that may be among the newest. */
function placesIn(body: LoggedBody, readKey: string, wanted: NewestRows, since: number): Place[] | undefined {
  const { key, where, order, tie, until } = wanted
  const orders = ordersIn(body, order)
  if (!orders) return undefined
  const within: number[] = []
  for (const [row, value] of orders.entries()) if (value >= since && value <= until) within.push(row)
  if (within.length === 0) return []
  const values = new Map([
    [readKey, Buffer.from(key)],
    ...where.map(({ column, value }) => [column, Buffer.from(value)] as const),
  ])
  const rows = rowsWith(body, values, within)
  const ties = rows && (rows.length === 0 ? [] : textsAt(body, tie, rows))
  return ties && rows.map((row, i) => ({ order: orders[row]!, tie: ties[i]!, row, body }))
}

/** The values of the column `order`, by row. */
function ordersIn(body: LoggedBody, order: string): Float64Array | undefined {
  let values: Float64Array | undefined
  const isRead = readColumns(body, new Set([order]), body.frame.rows * keyBytes, (_, type, rows) => {
    if (widthOf(type) !== 8) return false
    const bytes = body.window.take(rows * 8)
    values = new Float64Array(rows)
    for (let row = 0; row < rows; row++) values[row] = int64(bytes, row * 8)
    return true
  })
  return isRead ? values : undefined
}

/** Those of `rows` (ascending) that have these texts in the columns. Passes over others: making texts takes ten times as long. */
function rowsWith(
  body: LoggedBody,
  values: ReadonlyMap<string, Buffer>,
  rows: readonly number[],
): readonly number[] | undefined {
  const { window } = body
  let left = rows
  let columns = 0
  const isRead = readColumns(
    body,
    new Set(values.keys()),
    body.frame.rows * keyBytes,
    (name, type, count) => {
      if (type !== 'String') return false
      const value = values.get(name)!
      const still: number[] = []
      let next = 0
      for (let row = 0; row < count; row++) {
        const length = window.varint()
        const isAsked = row === left[next]
        if (isAsked) next++
        if (!isAsked || length !== value.length) window.skip(length)
        else if (window.is(value)) still.push(row)
      }
      left = still
      columns++
      return true
    },
  )
  return isRead && columns === values.size ? left : undefined
}

/** The texts of a column in `rows` (ascending). */
function textsAt(body: LoggedBody, column: string, rows: readonly number[]): string[] | undefined {
  const { window } = body
  const texts: string[] = []
  const isRead = readColumns(body, new Set([column]), body.frame.rows * keyBytes, (_, type, count) => {
    if (type !== 'String') return false
    for (let row = 0; row < count; row++) {
      const length = window.varint()
      if (row === rows[texts.length]) texts.push(window.text(length))
      else window.skip(length)
    }
    return true
  })
  return isRead && texts.length === rows.length ? texts : undefined
}

/** These rows, one after the other. */
function rowsAt(
  places: readonly Place[],
  columns: readonly (string | number)[],
  defaults: ReadonlyMap<string, Buffer>,
): Buffer | undefined {
  const names = new Set(columns.filter((column) => typeof column === 'string'))
  const rowsOf = new Map<LoggedBody, number[]>()
  for (const { body, row } of places) rowsOf.set(body, [...(rowsOf.get(body) ?? []), row])
  const pieces: Buffer[] = []
  let size = 0
  for (const [body, rows] of rowsOf) {
    rows.sort((a, b) => a - b)
    const values = new Map<string, readonly Buffer[]>()
    const isRead = readColumns(body, names, body.frame.length, (name, type, count) => {
      const found = binaryOf(type, count, rows, body.window)
      for (const one of found ?? []) size += one.length
      if (!found || size > mostBytes) return false
      values.set(name, found)
      return true
    })
    if (!isRead) return undefined
    for (let i = 0; i < rows.length; i++)
      for (const column of columns) {
        const value =
          typeof column === 'number' ? Buffer.of(column) : (values.get(column)?.[i] ?? defaults.get(column))
        if (!value) return undefined
        pieces.push(value)
      }
  }
  return Buffer.concat(pieces)
}

/** Calls `read` for each of the columns `names`, which reads all of its values. @returns false where one can't be read */
function readColumns(
  { frame, window }: LoggedBody,
  names: ReadonlySet<string>,
  wanted: number,
  read: (name: string, type: string, rows: number) => boolean,
): boolean {
  window.seek(frame.offset, wanted)
  const columns = window.varint()
  const rows = window.varint()
  let left = names.size
  for (let i = 0; i < columns && left > 0; i++) {
    const name = window.text(window.varint())
    const type = window.text(window.varint())
    if (!names.has(name)) {
      if (!skipValues(type, rows, window)) return false
    } else if (read(name, type, rows)) left--
    else return false
  }
  return true
}

const SHARED = 'LowCardinality(String)'

function skipValues(type: string, rows: number, window: FileWindow): boolean {
  const list = /^Array\((\w+)\)$/.exec(type)?.[1]
  const width = widthOf(list ?? type)
  if (type === 'String') for (let row = 0; row < rows; row++) window.skip(window.varint())
  else if (type === SHARED) readShared(rows, window)
  else if (width === undefined) return false
  else if (list === undefined) window.skip(rows * width)
  else {
    window.skip((rows - 1) * 8)
    window.skip(uint64(window.take(8)) * width)
  }
  return true
}

/** The values in some rows (ascending), in RowBinary. */
function binaryOf(
  type: string,
  rows: number,
  picked: readonly number[],
  window: FileWindow,
): Buffer[] | undefined {
  if (type === SHARED) {
    const sharedOf = readShared(rows, window)
    return picked.map(sharedOf)
  }
  if (type === 'String') {
    const found: Buffer[] = []
    for (let row = 0; row < rows; row++)
      if (row === picked[found.length]) found.push(window.takeText())
      else window.skip(window.varint())
    return found
  }
  const width = widthOf(type)
  if (width === undefined) return undefined
  const all = window.take(rows * width)
  return picked.map((row) => all.subarray(row * width, (row + 1) * width))
}

/** Reads a column whose rows share their values. @returns the value of a row, in RowBinary */
function readShared(rows: number, window: FileWindow): (row: number) => Buffer {
  window.skip(8)
  const width = 2 ** (window.take(8)[0]! & 3)
  const values = Array.from({ length: uint64(window.take(8)) }, () => window.takeText())
  window.skip(8)
  const indexes = window.take(rows * width)
  return (row) => values[indexes.readUIntLE(row * width, Math.min(width, 6))]!
}

const uint64 = (bytes: Buffer) => Number(bytes.readBigUInt64LE())
