/**
 * What to do with spans that have the same attribute keys in the same order: compiled once, run for every such span.
 * The plan says how the attributes nest as JSON text (literals with values between them), and where each target of
 * `keys.ts` finds its value in that text. Knows keys, no values.
 */

import { isCredentialKey } from '../../domain/calls/credential-keys.js'
import { rootHash } from '../../domain/calls/json-leaves.js'
import { pathHash } from '../../domain/calls/leaves.js'
import { MARKS } from '../../domain/calls/otel-span.js'
import { viewOf } from '../../platform/bytes/bytes.js'
import { ATTRIBUTE_KEYS, FIELD_KEYS, INPUT_KEYS, OUTPUT_KEYS, UNWRAPPED_KEYS, USAGE_KEYS } from './keys.js'
import type { LiteralOffset, Nesting } from './nesting.js'
import { type Cut, SpanTemplates } from './span-template.js'
import { flatTreeOf, listOf, nodeAt, type TreeNode, treeOf } from './tree.js'

/** A leaf that may be indexed: an attribute's value, and the hash of its path in a column. */
interface LeafAt {
  readonly attribute: number
  readonly path: number
}

/** Where a target may find its value: an attribute's value (or `rest` inside it), or a piece of the nested text. */
export interface Source {
  /** The attribute's number; -1: the text between `start` and `end`. */
  readonly attribute: number
  readonly rest: readonly string[]
  readonly start: LiteralOffset
  readonly end: LiteralOffset
  /** What precedes the value in a column that keeps its name: `{"input.value":` or `"model":`. */
  readonly opening: DataView
  /** Hash of the path that the value has in its column, with `opening` and without. */
  readonly path: number
  readonly barePath: number
  /** True if an object (for output: anything) stands in the column without its key. */
  readonly unwraps: boolean
  /** The leaves of a nested text under `path`, and under `barePath`. */
  readonly leaves: readonly LeafAt[]
  readonly bareLeaves: readonly LeafAt[]
  /** The stretch of the nested text it is, as inputs or output with its key around it, and without. */
  readonly named: Cut
  readonly bare: Cut
}

/** A target that has a name in its column. */
export interface Named {
  readonly name: string
  readonly sources: readonly Source[]
}

type Fields = { readonly [K in keyof typeof FIELD_KEYS]: readonly Source[] }

export interface AttributePlan {
  /** Why no span with these keys can be stored, or ''. */
  readonly problem: string
  readonly nesting: Nesting
  readonly templates: SpanTemplates
  readonly inputs: readonly Source[]
  readonly output: readonly Source[]
  readonly usage: readonly Named[]
  readonly attributes: readonly Named[]
  readonly fields: Fields
  /** True if any of `fields` has a source: most spans need no look at each. */
  readonly hasFields: boolean
  /** True if the topmost level has a key `otel_span`, which a call's attributes keep for the span itself. */
  readonly hasOtelSpan: boolean
  /** Leaves of the whole nested text in the column attributes. */
  readonly leaves: readonly LeafAt[]
}

const NOWHERE: LiteralOffset = { piece: 0, offset: 0 }

/** The plan of a span's attributes. @param grow told of bytes that it comes to take */
export function planOf(keys: readonly string[], grow: (bytes: number) => void): AttributePlan {
  const tree = treeOf(keys)
  const problem = typeof tree === 'string' ? tree : ''
  const root = typeof tree === 'string' ? flatTreeOf([]) : tree
  const writer = new NestingWriter()
  writer.node(root, true)
  const find = (paths: readonly string[], column: 'inputs' | 'output' | 'attributes', name = '') =>
    sourcesOf(root, writer.places, paths, column, name)
  const nesting = writer.nesting(keys)
  const fields = mapFields((paths, name) => find(paths, 'attributes', name))
  return {
    problem,
    nesting,
    templates: new SpanTemplates(nesting, grow),
    inputs: find(INPUT_KEYS, 'inputs'),
    output: find(OUTPUT_KEYS, 'output'),
    usage: named(Object.entries(USAGE_KEYS).map(([name, paths]) => [name, find(paths, 'attributes', name)])),
    attributes: named(
      Object.entries(ATTRIBUTE_KEYS).map(([name, paths]) => [name, find(paths, 'attributes', name)]),
    ),
    fields,
    hasFields: Object.values(fields).some((sources) => sources.length > 0),
    hasOtelSpan: root.children?.has('otel_span') ?? false,
    leaves: leavesBelow(root, rootHash.attributes, true),
  }
}

/** How the attributes of an event, a link or a resource nest; a message if they can't. */
export function nestingOf(keys: readonly string[]): Nesting | string {
  const tree = treeOf(keys)
  if (typeof tree === 'string') return tree
  const writer = new NestingWriter()
  writer.node(tree, true)
  return writer.nesting(keys)
}

/** The same with dotted keys as they are. */
export function flatNestingOf(keys: readonly string[]): Nesting {
  const writer = new NestingWriter()
  writer.node(flatTreeOf(keys), true)
  return writer.nesting(keys)
}

function mapFields(find: (paths: readonly string[], name: string) => readonly Source[]): Fields {
  const fields: Partial<Record<keyof Fields, readonly Source[]>> = {}
  for (const name of Object.keys(FIELD_KEYS) as (keyof Fields)[]) fields[name] = find(FIELD_KEYS[name], name)
  return fields as Fields
}

function named(targets: [string, readonly Source[]][]): Named[] {
  return targets.filter(([, sources]) => sources.length > 0).map(([name, sources]) => ({ name, sources }))
}

/** Writes a tree as literals and values, and remembers where each node's text stands. */
class NestingWriter {
  readonly places = new Map<TreeNode, { start: LiteralOffset; end: LiteralOffset }>()
  readonly #literals: Buffer[] = []
  readonly #values: number[] = []
  #literal = ''

  node(node: TreeNode, isRoot = false): void {
    const start = this.#place()
    if (node.attribute >= 0) {
      this.#literals.push(Buffer.from(this.#literal))
      this.#values.push(node.attribute)
      this.#literal = ''
    } else this.#container(node, isRoot)
    this.places.set(node, { start, end: this.#place() })
  }

  #container(node: TreeNode, isRoot: boolean): void {
    const children = node.children ?? new Map<string, TreeNode>()
    const list = isRoot ? undefined : listOf(children)
    this.#literal += list === undefined ? '{' : '['
    let separator = ''
    if (list !== undefined) {
      for (const child of list) {
        this.#literal += separator
        separator = ','
        this.node(child)
      }
    } else {
      for (const [key, child] of children) {
        this.#literal += `${separator}${JSON.stringify(key)}:`
        separator = ','
        this.node(child)
      }
    }
    this.#literal += list === undefined ? '}' : ']'
  }

  #place(): LiteralOffset {
    return { piece: this.#literals.length, offset: Buffer.byteLength(this.#literal) }
  }

  nesting(keys: readonly string[]): Nesting {
    const literals = [...this.#literals, Buffer.from(this.#literal)]
    let end = 0
    return {
      literals: viewOf(Buffer.concat(literals)),
      ends: Int32Array.from(literals, (literal) => (end += literal.length)),
      values: Int32Array.from(this.#values),
      secret: Uint8Array.from(keys, (key) => (isCredentialKey(key.slice(key.lastIndexOf('.') + 1)) ? 1 : 0)),
    }
  }
}

function sourcesOf(
  root: TreeNode,
  places: ReadonlyMap<TreeNode, { start: LiteralOffset; end: LiteralOffset }>,
  paths: readonly string[],
  column: 'inputs' | 'output' | 'attributes',
  name: string,
): Source[] {
  const sources: Source[] = []
  const isOutput = column === 'output'
  for (const path of paths) {
    const found = nodeAt(root, path)
    // A value that holds an object is looked into for small facts, but inputs and output are never cut out of one.
    if (found === undefined || (found.rest.length > 0 && column !== 'attributes')) continue
    const { node, rest } = found
    const key = name === '' ? path : name
    const barePath = rootHash[column]
    const hash = hashBelow(barePath, key)
    const { start, end } = places.get(node) ?? { start: NOWHERE, end: NOWHERE }
    const isObject = node.attribute < 0 && listOf(node.children!) === undefined
    sources.push({
      attribute: node.attribute,
      rest,
      start,
      end,
      opening: viewOf(Buffer.from(`${name === '' ? '{' : ''}${JSON.stringify(key)}:`)),
      path: hash,
      barePath,
      unwraps: UNWRAPPED_KEYS.has(path) && (isOutput || node.attribute >= 0 || isObject),
      leaves: rest.length > 0 ? [] : leavesBelow(node, hash),
      bareLeaves: rest.length > 0 ? [] : leavesBelow(node, barePath),
      named: {
        start,
        end,
        mark: isOutput ? MARKS.outputValue : MARKS.inputsValue,
        number: sources.length * 2,
      },
      bare: { start, end, mark: isOutput ? MARKS.output : MARKS.inputs, number: sources.length * 2 + 1 },
    })
  }
  return sources
}

/** The leaves at and below `node`, which stands at the path that hashes to `path`, in the order of the text. */
function leavesBelow(node: TreeNode, path: number, isRoot = false): LeafAt[] {
  if (node.attribute >= 0) return [{ attribute: node.attribute, path }]
  const children = node.children ?? new Map<string, TreeNode>()
  const list = isRoot ? undefined : listOf(children)
  const entries: Iterable<[string | number, TreeNode]> = list?.entries() ?? children
  return [...entries].flatMap(([key, child]) => leavesBelow(child, hashBelow(path, String(key))))
}

function hashBelow(parent: number, segment: string): number {
  const bytes = Buffer.from(segment)
  return pathHash(parent, bytes, 0, bytes.length)
}
