/**
 * The nesting of dotted keys: `a.b.0` becomes a tree, whose leaves are the attributes. Works on keys alone; values
 * come later, and the same keys give the same tree.
 */
import { MAX_NESTING } from './limits.js'

/** A place in the tree: an attribute's value (its number in the span), or what is below. */
export interface TreeNode {
  attribute: number
  children: Map<string, TreeNode> | undefined
}

const INDEX = /^(0|[1-9]\d{0,5})$/

/**
 * The tree of `keys`; of two equal keys the last one counts. Returns a message instead if a key is a value and a
 * parent, or too deep.
 */
export function treeOf(keys: readonly string[]): TreeNode | string {
  const root: TreeNode = { attribute: -1, children: new Map() }
  for (const [attribute, key] of keys.entries()) {
    const parts = key.split('.')
    if (parts.length > MAX_NESTING)
      return `the key "${shown(key)}" is nested deeper than ${MAX_NESTING} levels`
    let node = root
    for (const part of parts) {
      if (node.attribute >= 0) return conflict(key, keys[node.attribute]!)
      node.children ??= new Map()
      let child = node.children.get(part)
      if (child === undefined) {
        child = { attribute: -1, children: undefined }
        node.children.set(part, child)
      }
      node = child
    }
    if (node.children !== undefined) return conflict(`${key}.`, key)
    node.attribute = attribute
  }
  return root
}

/** The tree of `keys` without nesting: each a child of the root. */
export function flatTreeOf(keys: readonly string[]): TreeNode {
  const children = new Map<string, TreeNode>()
  for (const [attribute, key] of keys.entries()) {
    const old = children.get(key)
    if (old === undefined) children.set(key, { attribute, children: undefined })
    else old.attribute = attribute
  }
  return { attribute: -1, children }
}

function conflict(parent: string, value: string): string {
  return `the attribute "${shown(value)}" is both a value and the parent of others ("${shown(parent)}")`
}

function shown(key: string): string {
  return key.length > 80 ? `${key.slice(0, 77)}...` : key
}

/** The children in order if their keys are exactly 0, 1, …, n−1; else undefined. */
export function listOf(children: ReadonlyMap<string, TreeNode>): TreeNode[] | undefined {
  if (!children.has('0')) return undefined
  const list: TreeNode[] = new Array(children.size)
  for (const [key, child] of children) {
    if (!INDEX.test(key) || Number(key) >= list.length) return undefined
    list[Number(key)] = child
  }
  return list
}

/** The node at a dotted path below `root`, and the parts of the path left over where a value stands above it. */
export function nodeAt(root: TreeNode, path: string): { node: TreeNode; rest: string[] } | undefined {
  const parts = path.split('.')
  let node = root
  for (const [i, part] of parts.entries()) {
    if (node.attribute >= 0) return { node, rest: parts.slice(i) }
    const child = node.children?.get(part)
    if (child === undefined) return undefined
    node = child
  }
  return { node, rest: [] }
}
