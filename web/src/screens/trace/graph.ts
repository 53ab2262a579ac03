/** A trace as a graph: its agents, models and tools by name, and who calls whom how often. Pure. */
import type { Kind } from '../../../../domain/calls/kinds'
import { bareName, type FactsById, kindByName } from './facts'
import type { Tree } from './tree'

export interface Node {
  key: string
  kind: Kind
  name: string
  /** places of its calls in the tree, in its order */
  places: number[]
  failed: number
}

export interface Edge {
  /** places in the list of nodes; the same: it calls itself */
  from: number
  to: number
  count: number
}

export interface Graph {
  nodes: Node[]
  edges: Edge[]
}

/** More nodes than a person reads: those with the fewest calls are one, those that failed last. */
const MOST_NODES = 40

/**
 * Steps of which nobody said what they are are passed through, so that an agent calls the tools below its steps; roots
 * and what failed stay.
 * Where nothing is known of any call, all of them are nodes.
 */
export function graphOf(tree: Tree, facts: FactsById): Graph {
  const kinds = tree.spans.map(({ id, name }) => facts.get(id)?.kind ?? kindByName(name) ?? 'step')
  const isPlain = kinds.every((kind) => kind === 'step')
  const keyed = tree.spans.map((span, i): Omit<Node, 'places' | 'failed'> | undefined => {
    const kind = kinds[i]!
    if (kind === 'step' && !isPlain && !span.failed && tree.parent[i]! >= 0) return undefined
    const name = (kind === 'model' ? facts.get(span.id)?.model : undefined) ?? bareName(span.name)
    return { key: `${kind} ${name}`, kind, name }
  })
  const counts = new Map<string, number>()
  for (const one of keyed) if (one) counts.set(one.key, (counts.get(one.key) ?? 0) + 1)
  const failing = new Set(keyed.flatMap((one, i) => (one && tree.spans[i]!.failed ? one.key : [])))
  const kept = new Set(
    counts.size <= MOST_NODES
      ? counts.keys()
      : [...counts]
          .sort(([one, a], [other, b]) => Number(failing.has(other)) - Number(failing.has(one)) || b - a)
          .slice(0, MOST_NODES - 1)
          .map(([key]) => key),
  )
  const nodes: Node[] = []
  const edges = new Map<number, Map<number, Edge>>()
  const indexes = new Map<string, number>()
  /** the node that each call is in, or is below; -1: none */
  const at = new Int32Array(tree.spans.length).fill(-1)
  for (const [i, one] of keyed.entries()) {
    const above = tree.parent[i]! < 0 ? -1 : at[tree.parent[i]!]!
    at[i] = above
    if (one === undefined) continue
    const { key, kind, name } = kept.has(one.key)
      ? one
      : { key: 'others', kind: 'step' as const, name: `${counts.size - kept.size} others` }
    let index = indexes.get(key)
    if (index === undefined) {
      index = nodes.push({ key, kind, name, places: [], failed: 0 }) - 1
      indexes.set(key, index)
    }
    const node = nodes[index]!
    node.places.push(i)
    if (tree.spans[i]!.failed) node.failed++
    at[i] = index
    if (above < 0) continue
    const from = edges.get(above) ?? new Map<number, Edge>()
    edges.set(above, from)
    const edge = from.get(index) ?? { from: above, to: index, count: 0 }
    edge.count++
    from.set(index, edge)
  }
  return { nodes, edges: [...edges.values()].flatMap((from) => [...from.values()]) }
}

export interface Place {
  /** which column, from the left */
  layer: number
  /** which one in its column, from the top */
  row: number
}

/** Callers stand left of what they call, as near as they can; in a column, near to their callers. */
export function layoutOf({ nodes, edges }: Graph): Place[] {
  const out: number[][] = nodes.map(() => [])
  const into: number[][] = nodes.map(() => [])
  for (const { from, to } of edges) {
    if (from === to) continue
    out[from]!.push(to)
    into[to]!.push(from)
  }
  const layer = new Int32Array(nodes.length).fill(-1)
  // A node stands in the list before what it alone calls: those without a caller, then whatever is left in circles.
  for (const isLast of [false, true])
    for (let root = 0; root < nodes.length; root++) {
      if (layer[root]! >= 0 || (!isLast && into[root]!.length > 0)) continue
      layer[root] = 0
      const waiting = [root]
      for (let i = 0; i < waiting.length; i++)
        for (const next of out[waiting[i]!]!)
          if (layer[next]! < 0) {
            layer[next] = layer[waiting[i]!]! + 1
            waiting.push(next)
          }
    }
  const columns = new Map<number, number[]>()
  for (const [i, one] of layer.entries()) columns.set(one, [...(columns.get(one) ?? []), i])
  const row = new Int32Array(nodes.length)
  for (const [depth, column] of [...columns].sort(([a], [b]) => a - b)) {
    const mean = (i: number) => {
      const callers = into[i]!.filter((one) => layer[one]! < depth)
      return callers.length === 0 ? i : callers.reduce((sum, one) => sum + row[one]!, 0) / callers.length
    }
    const means = new Map(column.map((i) => [i, mean(i)]))
    for (const [at, i] of column.sort((a, b) => means.get(a)! - means.get(b)! || a - b).entries()) row[i] = at
  }
  return nodes.map((_, i) => ({ layer: layer[i]!, row: row[i]! }))
}
