/** The calls of two traces beside each other. Pure. */
import type { Tree } from './tree'

export interface Aligned {
  depth: number
  /** its place in the first tree; -1: only the second has it */
  before: number
  /** its place in the second tree; -1: only the first has it */
  after: number
}

/**
 * Calls are the same if they have the same name, the same place among those of that name, and parents that are the same.
 * The two at the top are the same whatever they are called. Takes time in proportion to the calls.
 * @param at the call in `before` that is compared, with all below it
 * @param to the one in `after`
 * @returns parents before their children, in the order of `after`, those that only `before` has where they were
 */
export function alignTrees(before: Tree, at: number, after: Tree, to: number): Aligned[] {
  const [olds, news] = [childrenOf(before, at), childrenOf(after, to)]
  const rows: Aligned[] = []
  const waiting: Aligned[] = [{ depth: 0, before: at, after: to }]
  while (waiting.length > 0) {
    const one = waiting.pop()!
    rows.push(one)
    const inside = pairsOf(before, olds.get(one.before) ?? [], after, news.get(one.after) ?? [])
    for (let i = inside.length - 1; i >= 0; i--) waiting.push({ depth: one.depth + 1, ...inside[i]! })
  }
  return rows
}

/** The children of a call and of all below it, by its place. */
function childrenOf({ parent, below }: Tree, root: number): Map<number, number[]> {
  const children = new Map<number, number[]>()
  for (let i = root + 1; i <= root + below[root]!; i++) {
    const siblings = children.get(parent[i]!)
    if (siblings === undefined) children.set(parent[i]!, [i])
    else siblings.push(i)
  }
  return children
}

type Pair = Omit<Aligned, 'depth'>

function pairsOf(before: Tree, olds: readonly number[], after: Tree, news: readonly number[]): Pair[] {
  const free = new Map<string, number[]>()
  for (let i = olds.length - 1; i >= 0; i--) {
    const { name } = before.spans[olds[i]!]!
    const same = free.get(name)
    if (same === undefined) free.set(name, [olds[i]!])
    else same.push(olds[i]!)
  }
  const partner = new Map<number, number>()
  for (const one of news) {
    const old = free.get(after.spans[one]!.name)?.pop()
    if (old !== undefined) partner.set(one, old)
  }
  const isTaken = new Set(partner.values())
  const pairs: Pair[] = []
  let next = 0
  /** those that are gone, up to a place */
  const gone = (until: number) => {
    for (; next < olds.length && olds[next]! <= until; next++)
      if (!isTaken.has(olds[next]!)) pairs.push({ before: olds[next]!, after: -1 })
  }
  for (const one of news) {
    const old = partner.get(one)
    if (old !== undefined) gone(old)
    pairs.push({ before: old ?? -1, after: one })
  }
  gone(Number.POSITIVE_INFINITY)
  return pairs
}
