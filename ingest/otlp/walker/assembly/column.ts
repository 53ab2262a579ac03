/**
 * The text columns of the rows being made: values in ClickHouse's Native form, one after the other, as `StringColumn`
 * writes them. A column is known by the address of its state: where its closed rows end, where the row at hand ends, the
 * room it has.
 */
import { TEXT_COLUMNS, TEXT_STATE, textStart } from './layout'
import { begin, copy, FULL, fail, goTo, hasRoom, hex, position, varint, writeTo } from './output'

/** Room before a text that is written in place. */
const PREFIX: usize = 3

/** Where the value opened last begins. */
let opened: usize = 0

/** Where the row at hand has got to. */
export function columnEnd(column: usize): usize {
  return load<u32>(column, 4)
}

/** Whether the row at hand has a value. */
export function isSet(column: usize): bool {
  return load<u32>(column, 4) !== load<u32>(column)
}

/** Empties all columns. */
export function clearColumns(): void {
  for (let n = 0; n < TEXT_COLUMNS; n++) {
    const column = TEXT_STATE + n * 16
    const start = textStart(column)
    store<u32>(column, start)
    store<u32>(column, start, 4)
    store<u32>(column, start, 8)
    store<u32>(column, textStart(column + 16), 12)
  }
}

/** Drops what the row at hand has. */
export function dropRow(): void {
  for (let n = 0; n < TEXT_COLUMNS; n++) {
    const column = TEXT_STATE + n * 16
    store<u32>(column, load<u32>(column), 4)
  }
  begin()
}

/** Closes the row: columns without a value get an empty one. Returns false if one has no room. */
export function closeRow(): bool {
  for (let n = 0; n < TEXT_COLUMNS; n++) {
    const column = TEXT_STATE + n * 16
    const pos = load<u32>(column, 4)
    if (pos !== load<u32>(column)) continue
    if (pos + 1 > load<u32>(column, 12)) {
      fail(FULL)
      return false
    }
    store<u8>(pos, 0)
    store<u32>(column, pos + 1, 4)
  }
  for (let n = 0; n < TEXT_COLUMNS; n++) {
    const column = TEXT_STATE + n * 16
    store<u32>(column, load<u32>(column, 4))
  }
  return true
}

/** Sets the value of the row to the bytes `[from, to)`. */
export function setText(column: usize, from: usize, to: usize): void {
  writeTo(load<u32>(column, 4), load<u32>(column, 12))
  varint(<u32>(to - from))
  copy(from, to)
  store<u32>(column, position(), 4)
}

/** Begins a value that is written in place. */
export function open(column: usize): void {
  opened = load<u32>(column, 4)
  writeTo(opened, load<u32>(column, 12))
  if (hasRoom(PREFIX)) goTo(opened + PREFIX)
}

/** Ends it; returns its length. No column has room for two megabytes. */
export function close(column: usize): u32 {
  const length = <u32>(position() - opened - PREFIX)
  store<u8>(opened, (length & 127) | 128)
  store<u8>(opened, ((length >> 7) & 127) | 128, 1)
  store<u8>(opened, length >> 14, 2)
  store<u32>(column, position(), 4)
  return length
}

/** Sets the value of the row to the bytes `[from, to)` in hex. */
export function setHex(column: usize, from: usize, to: usize): void {
  writeTo(load<u32>(column, 4), load<u32>(column, 12))
  varint(<u32>(to - from) * 2)
  hex(from, to)
  store<u32>(column, position(), 4)
}
