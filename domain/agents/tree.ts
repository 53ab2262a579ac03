/** The spans of a trace as a tree, in the order in which they are shown. Pure. */
import type { SaidBySpan } from './span.js'

/** A span, with what it cost, and how long it took. */
export interface ChatSpan extends SaidBySpan {
  started: number
  /** 0: it has not ended */
  ended: number
  /** another span counts for its tokens and costs */
  repeats: boolean
  input_cost_usd: number | null
  output_cost_usd: number | null
  total_cost_usd: number | null
}

export interface SpanNode {
  readonly span: ChatSpan
  readonly children: SpanNode[]
}

const MOST_DEPTH = 200

/** The roots: spans whose parent is not among them, and one of each circle. Deeper ones than 200 levels are left out. */
export function treeOf(spans: readonly ChatSpan[]): SpanNode[] {
  const nodes = new Map(spans.map((span) => [span.span_id, { span, children: [] as SpanNode[] }]))
  const roots: SpanNode[] = []
  for (const node of nodes.values()) {
    const parent = nodes.get(node.span.parent_span_id ?? '')
    if (parent === undefined || parent === node) roots.push(node)
    else parent.children.push(node)
  }
  const seen = new Set<SpanNode>()
  for (const root of roots) cut(root, seen)
  // What is left hangs together in circles.
  for (const node of nodes.values()) {
    if (seen.has(node)) continue
    roots.push(node)
    cut(node, seen)
  }
  return roots.sort(inOrder)
}

/** Takes what is below `root` and not yet seen, in order, level by level; what is too deep is seen, and dropped. */
function cut(root: SpanNode, seen: Set<SpanNode>): void {
  seen.add(root)
  let level = [root]
  for (let depth = 1; level.length > 0; depth++) {
    const next: SpanNode[] = []
    for (const node of level) {
      const below = node.children.splice(0).filter((child) => !seen.has(child))
      for (const child of below) seen.add(child)
      next.push(...below)
      if (depth < MOST_DEPTH) node.children.push(...below)
    }
    for (const node of level) node.children.sort(inOrder)
    level = next
  }
}

/** A model's span stands where its answer began. */
function beginning({ span, children }: SpanNode): number {
  const answers = children.filter((child) => child.span.operation_name === 'assistant_text')
  if (span.operation_name !== 'chat' || answers.length === 0) return span.started
  return Math.min(...answers.map((child) => child.span.started))
}

function inOrder(a: SpanNode, b: SpanNode): number {
  return (
    beginning(a) - beginning(b) || a.span.ended - b.span.ended || (a.span.span_id < b.span.span_id ? -1 : 1)
  )
}

/** A node and all below it. */
export function* below(node: SpanNode): Generator<SpanNode> {
  yield node
  for (const child of node.children) yield* below(child)
}

/** ms; 0 while it has not ended */
export function tookMs({ started, ended }: ChatSpan): number {
  return ended > started ? Math.round((ended - started) / 1000) : 0
}

/** Of what is known; null if nothing is. */
export function sumOf(values: Iterable<number | null>): number | null {
  let sum: number | null = null
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value
  return sum
}
