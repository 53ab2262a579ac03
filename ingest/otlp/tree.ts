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
 * The tree of `keys`, or of those of them that are `kept`; of two equal keys the last one counts. A key below another
 * one that has a value stands at the top under its whole name. Returns a message instead if a key is too deep.
 */
export function treeOf(
  keys: readonly string[],
  kept: (key: string) => boolean = () => true,
): TreeNode | string {
  const values = new Set(keys)
  const root: TreeNode = { attribute: -1, children: new Map() }
  for (const [attribute, key] of keys.entries()) {
    if (!kept(key)) continue
    const parts = key.split('.')
    if (parts.length > MAX_NESTING)
      return `the key "${shown(key)}" is nested deeper than ${MAX_NESTING} levels`
    let node = root
    for (const part of isBelow(values, key) ? [key] : parts) {
      node.children ??= new Map()
      let child = node.children.get(part)
      if (child === undefined) {
        child = { attribute: -1, children: undefined }
        node.children.set(part, child)
      }
      node = child
    }
    node.attribute = attribute
  }
  return root
}

/** Whether one of `values` is a beginning of `key`, so that it can't be a parent. */
function isBelow(values: ReadonlySet<string>, key: string): boolean {
  for (let dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
    if (values.has(key.slice(0, dot))) return true
  }
  return false
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

/** The tree as JSON. `known` has the text of each attribute's node, and of others if it is not what stands below them. */
export function treeJson(
  node: TreeNode,
  known: (node: TreeNode) => string | undefined,
  isRoot = false,
): string {
  const text = known(node)
  if (text !== undefined) return text
  const children = node.children ?? new Map<string, TreeNode>()
  const list = isRoot ? undefined : listOf(children)
  let json = ''
  if (list !== undefined) {
    for (const child of list) json += `${json === '' ? '[' : ','}${treeJson(child, known)}`
    return `${json}]`
  }
  for (const [key, child] of children)
    json += `${json === '' ? '{' : ','}${JSON.stringify(key)}:${treeJson(child, known)}`
  return json === '' ? '{}' : `${json}}`
}

/** A dotted key, and its parts. */
export interface Path {
  readonly key: string
  readonly parts: readonly string[]
}

/** The node at `path` below `root`, and how many parts of the path are left over where a value stands above it. */
export function nodeAt(root: TreeNode, { key, parts }: Path): { node: TreeNode; left: number } | undefined {
  const flat = parts.length > 1 ? root.children?.get(key) : undefined
  if (flat !== undefined) return { node: flat, left: 0 }
  let node = root
  for (const [i, part] of parts.entries()) {
    if (node.attribute >= 0) return { node, left: parts.length - i }
    const child = node.children?.get(part)
    if (child === undefined) return undefined
    node = child
  }
  return { node, left: 0 }
}
