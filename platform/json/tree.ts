/**
 * Lossless JSON values: numbers keep their source text, objects their order, and of duplicate keys the last counts. For
 * digests and values that must be changed; values that only pass through are sliced instead.
 */

import { JsonError } from './error.js'
import { eachElement, eachField } from './fields.js'
import { Notes, scanString, scanText, scanValue } from './scan.js'
import { unescapedAt, utf8At } from './text.js'

/** A number in its source form. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

export type JsonTree = null | boolean | string | JsonNumber | JsonTree[] | Map<string, JsonTree>

/**
 * The heaviest tree: a value weighs 1, an object {@link OBJECT} more and each of its keys {@link KEY} more, by the
 * memory they take. That is some 200 MB at most; a text of 30 MB can contain `{}` ten million times.
 */
const MOST = 4_000_000
const OBJECT = 4
const KEY = 3

/**
 * Parses a text (UTF-8 bytes or a string).
 * @param most weight of the tree; default: what memory should hold
 * @throws JsonError, also for a heavier tree
 */
export function parseTree(text: Uint8Array | string, most = MOST): JsonTree {
  const buf = typeof text === 'string' ? Buffer.from(text) : text
  const notes = new Notes()
  const { from } = scanText(buf, notes)
  return new Reader(buf, most).value(from)
}

/** Parses a stored text: it was weighed on arrival, and may have become slightly heavier since. */
export function storedTree(text: string): JsonTree {
  return parseTree(text, Number.POSITIVE_INFINITY)
}

/** Builds values from scanned text. */
class Reader {
  private readonly notes = new Notes()
  private end = 0
  private weight = 0

  constructor(
    private readonly buf: Uint8Array,
    private readonly most: number,
  ) {}

  value(p: number): JsonTree {
    const { buf, notes } = this
    if (++this.weight > this.most) throw new JsonError('the text has too many values to be read at once', p)
    switch (buf[p]) {
      case 0x7b: {
        this.weight += OBJECT
        const map = new Map<string, JsonTree>()
        const end = eachField(buf, p, notes, (keyFrom, keyTo, _escaped, at) => {
          this.weight += KEY
          map.set(unescapedAt(buf, keyFrom, keyTo), this.value(at))
          return this.end
        })
        this.end = end
        return map
      }
      case 0x5b: {
        const list: JsonTree[] = []
        const end = eachElement(buf, p, notes, (_index, at) => {
          list.push(this.value(at))
          return this.end
        })
        this.end = end
        return list
      }
      case 0x22: {
        const close = scanString(buf, p + 1, notes)
        this.end = close + 1
        return unescapedAt(buf, p + 1, close)
      }
      case 0x74:
        this.end = p + 4
        return true
      case 0x66:
        this.end = p + 5
        return false
      case 0x6e:
        this.end = p + 4
        return null
      default:
        this.end = scanValue(buf, p, notes)
        return new JsonNumber(utf8At(buf, p, this.end))
    }
  }
}

/** The tree as one line of JSON text, with numbers in their source form. */
export function treeText(tree: JsonTree): string {
  if (tree === null) return 'null'
  if (typeof tree === 'string') return JSON.stringify(tree)
  if (typeof tree === 'boolean') return tree ? 'true' : 'false'
  if (tree instanceof JsonNumber) return tree.text
  if (Array.isArray(tree)) return `[${tree.map(treeText).join(',')}]`
  const fields: string[] = []
  for (const [key, value] of tree) fields.push(`${JSON.stringify(key)}:${treeText(value)}`)
  return `{${fields.join(',')}}`
}

/** The tree as JavaScript values: numbers become doubles, so use it only for small, known values. */
export function treeValue(tree: JsonTree): unknown {
  if (tree instanceof JsonNumber) return Number(tree.text)
  if (Array.isArray(tree)) return tree.map(treeValue)
  if (tree instanceof Map) {
    const object: Record<string, unknown> = {}
    for (const [key, value] of tree) setOwn(object, key, treeValue(value))
    return object
  }
  return tree
}

/** Sets an own property of `object`, even one named `__proto__`. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  // Several times as fast as defineProperty.
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}

/** The same tree with `change` applied to every string value (not to keys). */
export function mapStrings(tree: JsonTree, change: (text: string) => string): JsonTree {
  if (typeof tree === 'string') return change(tree)
  if (Array.isArray(tree)) return tree.map((item) => mapStrings(item, change))
  if (tree instanceof Map) {
    const map = new Map<string, JsonTree>()
    for (const [key, value] of tree) map.set(key, mapStrings(value, change))
    return map
  }
  return tree
}
