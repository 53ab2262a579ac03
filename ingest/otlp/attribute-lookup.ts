/**
 * What a target of `domain/conventions/table.ts` finds in one span: the first of its sources that has a value, as JSON.
 * And the index of leaves, of which each attribute of the span has its own once.
 */
import type { UInt32ArrayColumn } from '../../domain/calls/column.js'
import { indexJsonAt, spanHash } from '../../domain/calls/json-leaves.js'
import { pathHash } from '../../domain/calls/leaves.js'
import type { Reading, Source } from '../../domain/conventions/table.js'
import { lookup } from '../../platform/json/fields.js'
import type { Attributes } from './attributes.js'
import { BadSpan } from './bad.js'
import { MAX_SEARCHED } from './limits.js'
import { listOf, nodeAt, type Path, type TreeNode, treeJson, treeOf } from './tree.js'
import type { Wire } from './wire.js'

/** The wanted value, and what stands there in the tree of keys; `left`: of the key's parts, how many lead into a value. */
export interface Found {
  readonly key: string
  readonly reading: Reading
  readonly node: TreeNode
  readonly left: number
  readonly json: string
}

type Target = readonly Source[]

const NO_READING: Reading = {}

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

/** The keys of the table in parts. */
const paths = new Map<string, Path>()

function pathOf(key: string): Path {
  let path = paths.get(key)
  if (path === undefined) {
    path = { key, parts: key.split('.') }
    paths.set(key, path)
  }
  return path
}

export class AttributeLookup {
  readonly keys: readonly string[]
  readonly root: TreeNode
  readonly #texts: string[]
  readonly #indexed = new Set<number>()

  /** Of the attributes of a span. @throws BadSpan if they can't be stored */
  constructor(wire: Wire, attributes: Attributes) {
    this.keys = attributes.keys
    const root = treeOf(this.keys)
    if (typeof root === 'string') throw new BadSpan(root)
    this.root = root
    this.#texts = this.keys.map(() => 'null')
    for (const i of attributesBelow(root)) this.#texts[i] = attributes.json(wire, i)
  }

  /** The value of an attribute as JSON; undefined for a node of the tree that is none. */
  readonly valueOf = ({ attribute }: TreeNode): string | undefined => this.#texts[attribute]

  /** The JSON at and below a node of a tree of these attributes. */
  json(node: TreeNode): string {
    return treeJson(node, this.valueOf, node === this.root)
  }

  /**
   * The first source with a value that is neither null nor an empty text.
   * @param isContent inputs and output are never cut out of a value, smaller facts are
   */
  first(target: Target, isContent = false): Found | undefined {
    for (const source of target) {
      const found = this.#found(source, isContent)
      if (found === undefined || found.json === '""' || this.#isDumped(found, isContent)) continue
      return found
    }
    return undefined
  }

  /** The first source with a value other than null, an empty text, too. */
  set(target: Target): Found | undefined {
    for (const source of target) {
      const found = this.#found(source, false)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The first value as text: see {@link textOf}. */
  text(target: Target): string | undefined {
    return textOf(this.first(target)?.json)
  }

  /** The first value as an amount, the text of a JSON number; undefined if it is none. */
  amount(target: Target): string | undefined {
    const found = this.first(target)
    const text = textOf(found?.json)
    if (text === undefined || text.length > MAX_NUMBER || !AMOUNT.test(text)) return undefined
    return found!.reading.positive && Number(text) === 0 ? undefined : text
  }

  /** Whether a value, or something below it, was sent under the key. */
  has(key: string): boolean {
    return nodeAt(this.root, pathOf(key))?.left === 0
  }

  /** Whether the target has a source among the keys, whatever its value. */
  mayHave(target: Target): boolean {
    return target.some((source) => this.#place(source, false) !== undefined)
  }

  /** Whether it says that what was read from and written to a cache is to be added to the count of the input. */
  isUncached({ reading: { uncached, uncachedWith } }: Found): boolean {
    return uncached === true || (uncachedWith !== undefined && this.has(uncachedWith))
  }

  #found(source: Source, isContent: boolean): Found | undefined {
    const place = this.#place(source, isContent)
    if (place === undefined) return undefined
    const [key, , reading = NO_READING] = source
    const { node, left } = place
    const json = left === 0 ? this.json(node) : inside(this.valueOf(node)!, pathOf(key).parts.slice(-left))
    return json === undefined || json.startsWith('n') ? undefined : { key, reading, node, left, json }
  }

  #place([key, , reading = NO_READING]: Source, isContent: boolean): ReturnType<typeof nodeAt> {
    const path = pathOf(key)
    // A key that stands at the top under its whole name has another one above it.
    if (!this.root.children!.has(path.parts[0]!)) return undefined
    const place = nodeAt(this.root, path)
    if (place === undefined || (isContent && place.left > 0)) return undefined
    const { list, unless, beside } = reading
    if (list && place.node.attribute < 0 && !hasNumber(place.node)) return undefined
    if (unless !== undefined && this.has(unless)) return undefined
    if (beside !== undefined && !this.has(beside)) return undefined
    return place
  }

  /** Whether it is a dump of a program's objects, or a part of it, and another source has it clean. */
  #isDumped({ json, reading: { dumpUnless, text } }: Found, isContent: boolean): boolean {
    if (dumpUnless === undefined || !((text && json.startsWith('"')) || isDump(json))) return false
    return this.first([[dumpUnless, 'plain']], isContent) !== undefined
  }

  /** Adds the leaves at and below `node`, which stands at the path that hashes to `path`. */
  addLeaves(into: UInt32ArrayColumn, node: TreeNode, path: number, isRoot = false): void {
    for (const [attribute, hash] of leavesBelow(node, path, isRoot)) {
      this.#indexed.add(attribute)
      this.#addLeaf(into, attribute, hash)
    }
  }

  /** Adds the leaves that the span has and no column. */
  addOtherLeaves(into: UInt32ArrayColumn): void {
    for (const [attribute, hash] of leavesBelow(this.root, spanHash, true))
      if (!this.#indexed.has(attribute)) this.#addLeaf(into, attribute, hash)
  }

  #addLeaf(into: UInt32ArrayColumn, attribute: number, path: number): void {
    const json = Buffer.from(this.#texts[attribute]!)
    indexJsonAt(into, path, json, 0, json.length)
  }
}

/** The hash of the path `parent` followed by `segment`. */
export function hashBelow(parent: number, segment: string): number {
  const bytes = Buffer.from(segment)
  return pathHash(parent, bytes, 0, bytes.length)
}

/** The attributes at and below a node, in the order of the text, and the hashes of their paths. */
export function* leavesBelow(
  node: TreeNode,
  path: number,
  isRoot = false,
): Generator<[attribute: number, path: number]> {
  if (node.attribute >= 0) yield [node.attribute, path]
  else
    for (const [key, child] of entriesOf(node, isRoot))
      yield* leavesBelow(child, hashBelow(path, String(key)))
}

function* attributesBelow(node: TreeNode): Generator<number> {
  if (node.attribute >= 0) yield node.attribute
  else for (const [, child] of entriesOf(node, false)) yield* attributesBelow(child)
}

function entriesOf({ children }: TreeNode, isRoot: boolean): Iterable<[string | number, TreeNode]> {
  if (children === undefined) return []
  return (isRoot ? undefined : listOf(children))?.entries() ?? children
}

function hasNumber({ children }: TreeNode): boolean {
  return [...children!.keys()].some((key) => /^\d+$/.test(key))
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
  const begin = Buffer.from(json.slice(0, 2 * MAX_LOOKED_AT)).toString('latin1').slice(0, 2 * MAX_LOOKED_AT)
  const constructor = begin.indexOf(CONSTRUCTOR)
  if (constructor >= 0 && constructor < MAX_LOOKED_AT) return true
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
