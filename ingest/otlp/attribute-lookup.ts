/**
 * What a target of `domain/conventions/table.ts` finds in one span: the first of its sources that has a value, as JSON.
 * And the index of leaves, of which each attribute of the span has its own once.
 */
import type { UInt32ArrayColumn } from '../../domain/calls/column.js'
import { indexJsonAt, spanHash } from '../../domain/calls/json-leaves.js'
import { LEAF_TEXT_LIMIT } from '../../domain/calls/leaves.js'
import { lookup } from '../../platform/json/fields.js'
import { AttributeKeys, type Place, type Target } from './attribute-keys.js'
import type { Attributes } from './attributes.js'
import { MAX_SEARCHED } from './limits.js'
import { type TreeNode, treeJson } from './tree.js'
import type { Wire } from './wire.js'

/** A value as JSON, and where it stands. */
export interface Found {
  readonly place: Place
  readonly json: string
}

/** Characters that one byte of text takes at most in JSON. */
const MAX_ESCAPED = 6
/** How an answer begins that LlamaIndex printed. */
const PRINTED = '"assistant: '
/** How constructors begin that LangChain wrote as JSON. */
const CONSTRUCTOR = '"lc":1,"type":"constructor"'
/** An object that Python printed. */
const CALL = /(?<!\w)[A-Za-z_]\w*\((?=\w{1,254}=)/g
/** Bytes of a value in which a dump would show. */
const MAX_LOOKED_AT = 256

const AMOUNT = /^(0|[1-9]\d*)(\.\d+)?(e[+-]?\d{1,2})?$/i
const COUNT = /^-?\d+(\.\d*)?(e[+-]?\d+)?$/i
/** Longer numbers are no amounts, and cut to that no counts. */
const MAX_NUMBER = 40

export class AttributeLookup {
  readonly keys: AttributeKeys
  readonly #texts: string[] = []
  readonly #indexed = new Set<number>()

  /** Of the attributes of a span. @throws BadSpan if they can't be stored */
  constructor(wire: Wire, attributes: Attributes) {
    this.keys = AttributeKeys.of(attributes.keys)
    for (const [i] of this.keys.leavesAt(this.keys.root, spanHash, true))
      this.#texts[i] = attributes.json(wire, i)
  }

  /** The value of an attribute as JSON; undefined for a node of the tree that is none. */
  readonly valueOf = ({ attribute }: TreeNode): string | undefined => this.#texts[attribute]

  /** The first source with a value that is neither null nor an empty text. */
  first(places: readonly Place[]): Found | undefined {
    for (const place of places) {
      const json = this.#json(place)
      if (json === undefined || json === '""' || this.#isDumped(place, json)) continue
      return { place, json }
    }
    return undefined
  }

  /** The first value of a target that is neither null nor an empty text. */
  find(target: Target): Found | undefined {
    return this.first(this.keys.placesOf(target))
  }

  /** The first value other than null, an empty text, too. */
  set(target: Target): Found | undefined {
    for (const place of this.keys.placesOf(target)) {
      const json = this.#json(place)
      if (json !== undefined) return { place, json }
    }
    return undefined
  }

  /** The first value as text: see {@link textOf}. */
  text(target: Target): string | undefined {
    return textOf(this.find(target)?.json)
  }

  /** The first value as an amount, the text of a JSON number; undefined if it is none. */
  amount(target: Target): string | undefined {
    const found = this.find(target)
    const text = textOf(found?.json)
    if (text === undefined || text.length > MAX_NUMBER || !AMOUNT.test(text)) return undefined
    return found!.place.reading.positive && Number(text) === 0 ? undefined : text
  }

  /** The value that a place has; undefined for null. */
  #json({ node, rest }: Place): string | undefined {
    const json = rest.length === 0 ? treeJson(node, this.valueOf) : inside(this.valueOf(node)!, rest)
    return json === undefined || json.startsWith('n') ? undefined : json
  }

  /** Whether it is a dump of a program's objects, or a part of it, and another source has it clean. */
  #isDumped({ cleaner, reading }: Place, json: string): boolean {
    if (cleaner.length === 0 || !((reading.text && json.startsWith('"')) || isDump(json))) return false
    return this.first(cleaner) !== undefined
  }

  /** Adds the leaves at and below `node`, which stands at the path that hashes to `path`. */
  addLeaves(into: UInt32ArrayColumn, node: TreeNode, path: number, isRoot = false): void {
    for (const [attribute, hash] of this.keys.leavesAt(node, path, isRoot)) {
      this.#indexed.add(attribute)
      this.#addLeaf(into, attribute, hash)
    }
  }

  /** Adds the leaves that the span has and no column. */
  addOtherLeaves(into: UInt32ArrayColumn): void {
    for (const [attribute, hash] of this.keys.leavesAt(this.keys.root, spanHash, true))
      if (!this.#indexed.has(attribute)) this.#addLeaf(into, attribute, hash)
  }

  #addLeaf(into: UInt32ArrayColumn, attribute: number, path: number): void {
    const text = this.#texts[attribute]!
    // Longer texts are no leaves, however many of their characters are escaped.
    if (text.startsWith('"') && text.length > 2 + MAX_ESCAPED * LEAF_TEXT_LIMIT) return
    const json = Buffer.from(text)
    indexJsonAt(into, path, json, 0, json.length)
  }
}

/** What stands at a path inside of a JSON value. */
function inside(json: string, path: readonly string[]): string | undefined {
  if (!/^[[{]/.test(json) || json.length > MAX_SEARCHED) return undefined
  const bytes = Buffer.from(json)
  if (bytes.length > MAX_SEARCHED) return undefined
  const found = lookup(bytes, { from: 0, to: bytes.length }, path)
  return found && bytes.toString('utf8', found.from, found.to)
}

function isDump(json: string): boolean {
  if (json.startsWith(PRINTED)) return true
  // Bytes, each a character: a name that begins among the first may end behind them.
  const begin = Buffer.from(json.slice(0, 2 * MAX_LOOKED_AT))
    .toString('latin1')
    .slice(0, 2 * MAX_LOOKED_AT)
  const written = begin.indexOf(CONSTRUCTOR)
  if (written >= 0 && written < MAX_LOOKED_AT) return true
  return [...begin.matchAll(CALL)].some(({ index, 0: call }) => index + call.length <= MAX_LOOKED_AT)
}

/**
 * A JSON value as text: a string's own, a number in its shortest form, `true` or `false`; undefined for none, an object
 * and a list.
 */
export function textOf(json: string | undefined): string | undefined {
  if (json === undefined || /^[[{]/.test(json)) return undefined
  if (json.startsWith('"')) return String(JSON.parse(json))
  return json.includes('.') ? String(Number(json)) : json
}

/** A JSON value as a count: a whole number, in a number or a text; undefined if it is none. */
export function countOf(json: string): number | undefined {
  const text = (json.startsWith('"') ? json.slice(1, -1) : json).slice(0, MAX_NUMBER)
  const count = COUNT.test(text) ? Math.trunc(Number(text)) : -1
  return count >= 0 && count <= Number.MAX_SAFE_INTEGER ? count : undefined
}
