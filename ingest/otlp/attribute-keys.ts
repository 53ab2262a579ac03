/**
 * What the keys of a span's attributes say, whatever their values are: the tree they make, where the targets of
 * `domain/conventions/table.ts` have sources, and the paths of leaves. The spans of a program have the same keys, so the
 * last ones are kept.
 */
import { pathHash } from '../../domain/calls/leaves.js'
import {
  ATTRIBUTES,
  CONVENTION_KEYS,
  INPUTS,
  OUTPUT,
  type Reading,
  type Source,
  USER_KEYS,
} from '../../domain/conventions/table.js'
import { Lru } from '../../platform/lru/lru.js'
import { BadSpan } from './bad.js'
import { listOf, nodeAt, type Path, type TreeNode, treeOf } from './tree.js'

/** Sources in order of precedence. */
export type Target = readonly Source[]

/** Where a source may have a value: a node of the tree, or what the rest of the key's parts lead to inside its value. */
export interface Place {
  readonly key: string
  readonly reading: Reading
  readonly node: TreeNode
  readonly rest: readonly string[]
  /** where a dump is passed over, because these have the messages */
  readonly cleaner: readonly Place[]
  /** whether what was read from and written to a cache is to be added to the count of the input */
  readonly isUncached: boolean
}

/** An attribute, and the hash of the path that its value has in a column. */
type Leaf = readonly [attribute: number, path: number]

/** Characters of the keys that are kept; what is known of them takes some fifty times as much memory. */
const MAX_KEPT = 256 * 1024

/** The span itself is read back under this key of a call's attributes, so nobody's own value may stand there. */
export const SPAN_KEY = 'otel_span'

/** Inputs and output stand in their own columns already. */
const CONTENT = new Set([...INPUTS, ...OUTPUT].map(([key]) => key))

const NO_READING: Reading = {}
const kept = new Lru<AttributeKeys>(MAX_KEPT, (_, text) => text.length)
/** The keys of the table in parts. */
const paths = new Map<string, Path>()

export class AttributeKeys {
  readonly root: TreeNode
  readonly #keys: readonly string[]
  readonly #places = new Map<Target, readonly Place[]>()
  readonly #leaves = new Map<TreeNode, Map<number, readonly Leaf[]>>()
  #own: TreeNode | undefined

  private constructor(keys: readonly string[]) {
    this.#keys = keys
    const root = treeOf(keys)
    if (typeof root === 'string') throw new BadSpan(root)
    this.root = root
  }

  /** Of a span with these keys, in their order. @throws BadSpan if they are nested too deep */
  static of(keys: readonly string[]): AttributeKeys {
    const text = JSON.stringify(keys)
    let known = kept.get(text)
    if (known === undefined) {
      known = new AttributeKeys(keys)
      kept.set(text, known)
    }
    return known
  }

  /** What no convention owns, without what would stand in the place of what is recognised; undefined if that is nothing. */
  get own(): TreeNode | undefined {
    this.#own ??= this.#ownTree()
    return this.#own.children!.size === 0 ? undefined : this.#own
  }

  #ownTree(): TreeNode {
    const tree = treeOf(this.#keys, isOwn) as TreeNode
    for (const [name, target] of Object.entries(ATTRIBUTES)) {
      if (tree.children!.has(name) && this.placesOf(target).length > 0) tree.children!.delete(name)
    }
    tree.children!.delete(SPAN_KEY)
    return tree
  }

  /**
   * Where a target, which is a part of the table, may have its value.
   * @param isContent inputs and output are never cut out of a value, smaller facts are
   */
  placesOf(target: Target, isContent = false): readonly Place[] {
    let places = this.#places.get(target)
    if (places === undefined) {
      places = target.flatMap((source) => this.#place(source, isContent) ?? [])
      this.#places.set(target, places)
    }
    return places
  }

  #place([key, , reading = NO_READING]: Source, isContent: boolean): Place | undefined {
    const path = pathOf(key)
    const found = nodeAt(this.root, path)
    if (found === undefined || (isContent && found.left > 0)) return undefined
    const { node, left } = found
    const { list, unless, beside, dumpUnless, uncached, uncachedWith } = reading
    if (list && node.attribute < 0 && !hasNumber(node)) return undefined
    if (unless !== undefined && this.#has(unless)) return undefined
    if (beside !== undefined && !this.#has(beside)) return undefined
    const clean = dumpUnless === undefined ? undefined : this.#place([dumpUnless, 'plain'], isContent)
    return {
      ...{ key, reading, node, rest: path.parts.slice(path.parts.length - left) },
      cleaner: clean === undefined ? [] : [clean],
      isUncached: uncached === true || (uncachedWith !== undefined && this.#has(uncachedWith)),
    }
  }

  /** Whether a value, or something below it, was sent under the key. */
  #has(key: string): boolean {
    return nodeAt(this.root, pathOf(key))?.left === 0
  }

  /** The attributes at and below a node that stands at the path which hashes to `path`, in the order of the text. */
  leavesAt(node: TreeNode, path: number, isRoot = false): readonly Leaf[] {
    let byPath = this.#leaves.get(node)
    if (byPath === undefined) {
      byPath = new Map()
      this.#leaves.set(node, byPath)
    }
    let leaves = byPath.get(path)
    if (leaves === undefined) {
      leaves = [...leavesBelow(node, path, isRoot)]
      byPath.set(path, leaves)
    }
    return leaves
  }
}

/** Whether no convention owns the key. */
export function isOwn(key: string): boolean {
  if (CONTENT.has(key)) return false
  const begins = (prefix: string) => key.startsWith(prefix)
  return !CONVENTION_KEYS.some(begins) || USER_KEYS.some(begins)
}

function pathOf(key: string): Path {
  let path = paths.get(key)
  if (path === undefined) {
    path = { key, parts: key.split('.') }
    paths.set(key, path)
  }
  return path
}

function hasNumber({ children }: TreeNode): boolean {
  return [...children!.keys()].some((key) => /^\d+$/.test(key))
}

/** The attributes at and below a node, in the order of the text, and the hashes of their paths. */
export function* leavesBelow(node: TreeNode, path: number, isRoot = false): Generator<Leaf> {
  if (node.attribute >= 0) yield [node.attribute, path]
  const children = node.children ?? new Map<string, TreeNode>()
  const entries = (isRoot ? undefined : listOf(children))?.entries() ?? children
  for (const [key, child] of entries as Iterable<[string | number, TreeNode]>)
    yield* leavesBelow(child, hashBelow(path, String(key)))
}

/** The hash of the path `parent` followed by `segment`. */
export function hashBelow(parent: number, segment: string): number {
  const bytes = Buffer.from(segment)
  return pathHash(parent, bytes, 0, bytes.length)
}
