/**
 * The user of a span's call, `attributes.user_id`, is also that of the spans below it that name none. Works on the rows
 * as they were written: their attributes, and what is counted and indexed of these.
 */
import { isId, THREAD_ID_LIMIT } from '../../contract/limits.js'
import type { CallBlock } from '../../domain/calls/block.js'
import type { StringColumn } from '../../domain/calls/column.js'
import { LEAF_TEXT_LIMIT, leafHash, oneMoreLeaf } from '../../domain/calls/leaves.js'
import type { Slice } from '../../platform/json/scan.js'

const NONE = -1
const KEY = Buffer.from('"user_id":')
const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const OPENING = 123
const CLOSING = 125

/** Longer texts of numbers are nobody's id. */
const MAX_NUMBER = 40

/** What is written into the attributes of a call that inherits a user. */
export interface InheritedUser {
  /** JSON text: the key and its value */
  readonly member: string
  /** of the index of leaves; numbers have none */
  readonly leaf: number | undefined
}

/** The user with the JSON text `value`, if others can inherit it: a text that can be an id, or a number. */
export function inheritedUser(value: string): InheritedUser | undefined {
  const user: unknown = JSON.parse(value)
  if (typeof user === 'number' && value.length <= MAX_NUMBER)
    return { member: `"user_id":${value}`, leaf: undefined }
  if (typeof user !== 'string' || !isId(user, THREAD_ID_LIMIT)) return undefined
  if (Buffer.byteLength(user) > LEAF_TEXT_LIMIT) return undefined
  return { member: `"user_id":${JSON.stringify(user)}`, leaf: leafHash('attributes.user_id', user) }
}

/** The users that the last rows of a block name. */
export class NamedUsers {
  /** By row, the row whose user it has. */
  readonly whose: Int32Array
  readonly #named: Uint8Array | Uint32Array
  readonly #mark: number
  /** By row, where its attributes stand in the column: with their length before them, and their text. */
  readonly #starts: Int32Array
  readonly #texts: Int32Array

  /**
   * @param mark where the attributes of these rows stand from
   * @param named by row, whether it names a user: part of a column
   */
  constructor(attributes: StringColumn, mark: number, named: Uint8Array | Uint32Array) {
    const rows = named.length
    const { buf } = attributes
    this.#mark = mark
    this.#named = named
    this.whose = new Int32Array(rows)
    this.#starts = new Int32Array(rows + 1)
    this.#texts = new Int32Array(rows)
    let at = mark
    for (let row = 0; row < rows; row++) {
      this.whose[row] = named[row] === 0 ? NONE : row
      this.#starts[row] = at
      let length = buf[at]! & 127
      for (let shift = 7; buf[at++]! > 127; shift += 7) length += (buf[at]! & 127) * 2 ** shift
      this.#texts[row] = at
      at += length
    }
    this.#starts[rows] = at
  }

  /** Writes the attributes anew of the rows in which `whose` names another row. */
  write(block: CallBlock): void {
    const { attributes, bytes, leaves } = block
    const { whose } = this
    const rows = whose.length
    const firstRow = block.rows - rows
    const mark = this.#mark
    const before = Buffer.from(attributes.buf.subarray(mark, attributes.pos))
    const users = new Map<number, InheritedUser | undefined>()
    const more = new Map<number, number>()
    let kept = 0
    const keep = (row: number) => {
      attributes.append(before, this.#starts[kept]! - mark, this.#starts[row]! - mark, row - kept)
      kept = row + 1
    }
    attributes.rewind(firstRow, mark)
    for (let row = 0; row < rows; row++) {
      const named = whose[row]!
      if (named === NONE || named === row) continue
      if (!users.has(named)) users.set(named, this.#user(before, named))
      const user = users.get(named)
      if (user === undefined) continue
      keep(row)
      const [from, to] = [this.#texts[row]! - mark, this.#starts[row + 1]! - mark]
      attributes.open()
      attributes.copy(before, from, to - 1)
      attributes.utf8(`${to - from > 2 ? ',' : ''}${user.member}}`)
      bytes.add(firstRow + row, attributes.close() - (to - from))
      this.#named[row] = 1
      const leaf = user.leaf && oneMoreLeaf(leaves.lengthOf(firstRow + row), user.leaf)
      if (leaf !== undefined) more.set(firstRow + row, leaf)
    }
    keep(rows)
    leaves.extend(more)
  }

  #user(before: Buffer, row: number): InheritedUser | undefined {
    const [from, to] = [this.#texts[row]! - this.#mark, this.#starts[row + 1]! - this.#mark]
    const value = userAt(before, from, to)
    return value && inheritedUser(before.toString('utf8', value.from, value.to))
  }
}

/** Where the user stands in the attributes `[from, to)`, however deep other values are. */
export function userAt(attributes: Buffer, from: number, to: number): Slice | undefined {
  let depth = 0
  let found = NONE
  for (let at = from; at < to; at++) {
    const byte = attributes[at]!
    if (byte === QUOTE) {
      if (depth === 1 && isKey(attributes, at)) {
        at += KEY.length - 1
        found = at + 1
      } else for (at++; attributes[at] !== QUOTE; at++) if (attributes[at] === BACKSLASH) at++
    } else if (depth === 1 && found !== NONE && (byte === COMMA || byte === CLOSING))
      return { from: found, to: at }
    else if (byte === OPENING || byte === 91) depth++
    else if (byte === CLOSING || byte === 93) depth--
  }
  return undefined
}

function isKey(text: Buffer, at: number): boolean {
  for (let i = 1; i < KEY.length; i++) if (text[at + i] !== KEY[i]) return false
  return true
}
