/**
 * What to do with spans that have the same attribute keys in the same order: compiled once, run for every such span.
 * The plan says how the attributes nest as JSON text (literals with values between them), and where each target of
 * `domain/conventions/table.ts` finds its value in that text. Knows keys, no values.
 */

import { isCredentialKey } from '../../../domain/calls/credential-keys.js'
import { rootHash, spanHash } from '../../../domain/calls/json-leaves.js'
import { MARKS } from '../../../domain/calls/otel-span.js'
import * as conventions from '../../../domain/conventions/table.js'
import { viewOf } from '../../../platform/bytes/bytes.js'
import { hashBelow, isOwn, leavesBelow } from '../attribute-keys.js'
import { listOf, nodeAt, type Path, type TreeNode, treeOf } from '../tree.js'
import type { LiteralOffset, Nesting } from './nesting.js'
import { type Cut, SpanTemplates } from './span-template.js'

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
  /** Hash of the path that the value has in its column, with `opening`. */
  readonly path: number
  /** True if an object (for output: anything) stands in the column without its key. */
  readonly unwraps: boolean
  /** Where a dump of a program's objects is passed over, because these have the messages. */
  readonly cleaner: readonly Source[]
  /** True if a plain text is passed over likewise. */
  readonly text: boolean
  /** True if the last message, if it is the model's, doesn't belong to it. */
  readonly unanswered: boolean
  /** True if the kind of an operation is wanted, not its name. */
  readonly operation: boolean
  /** True if it says that those of the cache are to be added to the count of the input. */
  readonly uncached: boolean
  /** True if an amount of 0 is none. */
  readonly positive: boolean
  /** What a time is given in. */
  readonly unit: conventions.TimeUnit | undefined
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
  /** Its place in the table. */
  readonly number: number
  readonly sources: readonly Source[]
}

type Fields = { readonly [K in keyof typeof conventions.FIELDS]: readonly Source[] }

export interface AttributePlan {
  /** Why no span with these keys can be stored, or ''. */
  readonly problem: string
  readonly nesting: Nesting
  readonly templates: SpanTemplates
  readonly inputs: readonly Source[]
  readonly output: readonly Source[]
  readonly usage: readonly Named[]
  readonly costs: readonly Named[]
  readonly attributes: readonly Named[]
  readonly agent: readonly Named[]
  readonly labels: readonly Named[]
  readonly firstToken: readonly Source[]
  /** The attributes that no convention owns, and their leaves; undefined if there is none. */
  readonly own: Own | undefined
  readonly fields: Fields
  /** True if any of `fields` has a source: most spans have none. */
  readonly hasFields: boolean
  /** True if attributes that no convention owns say who the user was; that is unclear where a convention's key is there, too. */
  readonly ownUser: boolean
  readonly unclearUser: boolean
  /** True if the topmost level has a key `otel_span`, which a call's attributes keep for the span itself. */
  readonly hasOtelSpan: boolean
  /** Leaves of the whole nested text in the column attributes, and in the span. */
  readonly leaves: readonly LeafAt[]
  readonly spanLeaves: readonly LeafAt[]
}

/** Attributes that stand in the column attributes under their own keys. */
interface Own {
  readonly nesting: Nesting
  readonly leaves: readonly LeafAt[]
}

const NOWHERE: LiteralOffset = { piece: 0, offset: 0 }

/** A row of the table of conventions, its keys in parts. */
interface Wanted
  extends Path,
    Omit<conventions.Reading, 'unless' | 'beside' | 'dumpUnless' | 'uncachedWith'> {
  readonly unless: Path | undefined
  readonly beside: Path | undefined
  readonly dumpUnless: Wanted | undefined
  readonly uncachedWith: Path | undefined
}
type Column = 'inputs' | 'output' | 'attributes'

const pathOf = (key: string): Path => ({ key, parts: key.split('.') })

function wantedOf(target: readonly conventions.Source[]): Wanted[] {
  return target.map(([key, , reading = {}]) => ({
    ...reading,
    ...pathOf(key),
    unless: reading.unless === undefined ? undefined : pathOf(reading.unless),
    beside: reading.beside === undefined ? undefined : pathOf(reading.beside),
    uncachedWith: reading.uncachedWith === undefined ? undefined : pathOf(reading.uncachedWith),
    dumpUnless: reading.dumpUnless === undefined ? undefined : wantedOf([[reading.dumpUnless, 'plain']])[0],
  }))
}

function wantedByName<Name extends string>(
  targets: Readonly<Record<Name, readonly conventions.Source[]>>,
): [Name, Wanted[]][] {
  return Object.entries<readonly conventions.Source[]>(targets).map(([name, target]) => [
    name as Name,
    wantedOf(target),
  ])
}

const INPUTS = wantedOf(conventions.INPUTS)
const OUTPUT = wantedOf(conventions.OUTPUT)
const USAGE = wantedByName(conventions.USAGE)
const COSTS = wantedByName(conventions.COSTS)
const ATTRIBUTES = wantedByName(conventions.ATTRIBUTES)
const AGENT = wantedByName(Object.fromEntries(conventions.AGENT))
const LABELS = wantedByName(conventions.LABELS)
const FIRST_TOKEN = wantedOf(conventions.FIRST_TOKEN)
const FIELDS = wantedByName(conventions.FIELDS)

/** The plan of a span's attributes. */
export function planOf(keys: readonly string[]): AttributePlan {
  const tree = treeOf(keys)
  const problem = typeof tree === 'string' ? tree : ''
  const root: TreeNode = typeof tree === 'string' ? { attribute: -1, children: new Map() } : tree
  const writer = new NestingWriter()
  writer.node(root, true)
  const find = (wanted: readonly Wanted[], column: Column, name = '') =>
    sourcesOf(root, writer.places, wanted, column, name)
  const nesting = writer.nesting(keys)
  const named = (targets: [string, Wanted[]][]): Named[] =>
    targets
      .map(([name, wanted], number) => ({ name, number, sources: find(wanted, 'attributes', name) }))
      .filter(({ sources }) => sources.length > 0)
  const fields: { -readonly [K in keyof Fields]?: Fields[K] } = {}
  for (const [name, wanted] of FIELDS) fields[name] = find(wanted, 'attributes', name)
  const attributes = named(ATTRIBUTES)
  const hasUser = root.children?.has('user_id') ?? false
  const isRecognised = attributes.some(({ name }) => name === 'user_id')
  return {
    problem,
    nesting,
    templates: new SpanTemplates(nesting),
    inputs: find(INPUTS, 'inputs'),
    output: find(OUTPUT, 'output'),
    usage: named(USAGE),
    costs: named(COSTS),
    attributes,
    agent: named(AGENT),
    labels: named(LABELS),
    firstToken: find(FIRST_TOKEN, 'attributes'),
    own: ownOf(keys, attributes),
    fields: fields as Fields,
    hasFields: Object.values(fields).some((sources) => sources.length > 0),
    ownUser: hasUser && !isRecognised,
    unclearUser: (hasUser && isRecognised) || fields.merged!.length > 0,
    hasOtelSpan: root.children?.has('otel_span') ?? false,
    leaves: leavesAt(root, rootHash.attributes, true),
    spanLeaves: leavesAt(root, spanHash, true),
  }
}

/** What no convention owns, without what would stand in the place of what was recognised. */
function ownOf(keys: readonly string[], recognised: readonly Named[]): Own | undefined {
  const tree = treeOf(keys, isOwn)
  if (typeof tree === 'string' || tree.children === undefined) return undefined
  for (const { name } of recognised) tree.children.delete(name)
  tree.children.delete('otel_span')
  if (tree.children.size === 0) return undefined
  const writer = new NestingWriter()
  writer.node(tree, true)
  return { nesting: writer.nesting(keys), leaves: leavesAt(tree, rootHash.attributes, true) }
}

/** How the attributes of an event, a link or a resource nest; a message if they can't. */
export function nestingOf(keys: readonly string[]): Nesting | string {
  const tree = treeOf(keys)
  if (typeof tree === 'string') return tree
  const writer = new NestingWriter()
  writer.node(tree, true)
  return writer.nesting(keys)
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
      isJson: Uint8Array.from(keys, (key) =>
        conventions.JSON_TEXTS.some((begin) => key.startsWith(begin)) ? 1 : 0,
      ),
    }
  }
}

function sourcesOf(
  root: TreeNode,
  places: ReadonlyMap<TreeNode, { start: LiteralOffset; end: LiteralOffset }>,
  wanted: readonly Wanted[],
  column: Column,
  name: string,
): Source[] {
  const sources: Source[] = []
  const isOutput = column === 'output'
  for (const {
    key: path,
    parts,
    unless,
    beside,
    dumpUnless,
    uncachedWith,
    list,
    bare,
    unanswered,
    ...reading
  } of wanted) {
    const found = nodeAt(root, { key: path, parts })
    // A value that holds an object is looked into for small facts, but inputs and output are never cut out of one.
    if (found === undefined || (found.left > 0 && column !== 'attributes')) continue
    const { node, left } = found
    if (list && node.attribute < 0 && ![...node.children!.keys()].some((key) => /^\d+$/.test(key))) continue
    if (unless !== undefined && nodeAt(root, unless)?.left === 0) continue
    if (beside !== undefined && nodeAt(root, beside)?.left !== 0) continue
    const key = name === '' ? path : name
    const barePath = rootHash[column]
    const hash = hashBelow(barePath, key)
    const { start, end } = places.get(node) ?? { start: NOWHERE, end: NOWHERE }
    const isObject = node.attribute < 0 && listOf(node.children!) === undefined
    sources.push({
      attribute: node.attribute,
      rest: parts.slice(parts.length - left),
      start,
      end,
      opening: viewOf(Buffer.from(`${name === '' ? '{' : ''}${JSON.stringify(key)}:`)),
      path: hash,
      unwraps: bare === true && (isOutput || node.attribute >= 0 || isObject),
      cleaner: dumpUnless === undefined ? [] : sourcesOf(root, places, [dumpUnless], column, name),
      unanswered: unanswered === true,
      operation: reading.operation === true,
      text: reading.text === true,
      uncached:
        reading.uncached === true || (uncachedWith !== undefined && nodeAt(root, uncachedWith)?.left === 0),
      positive: reading.positive === true,
      unit: reading.unit,
      leaves: left > 0 ? [] : leavesAt(node, hash),
      bareLeaves: left > 0 ? [] : leavesAt(node, barePath),
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
function leavesAt(node: TreeNode, path: number, isRoot = false): LeafAt[] {
  return Array.from(leavesBelow(node, path, isRoot), ([attribute, hash]) => ({ attribute, path: hash }))
}
