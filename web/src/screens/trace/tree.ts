/** The tree of a trace as flat lists, made for tens of thousands of spans. Pure. */

export interface Span {
  id: string
  parent: string | null
  name: string
  /** ms since the epoch */
  start: number
  /** undefined: it runs */
  end: number | undefined
  failed: boolean
}

export interface Tree {
  /** parents before their children, these by their start */
  spans: readonly Span[]
  depth: Uint16Array
  /** how many spans are below, at any depth */
  below: Int32Array
  /** place of the parent; -1: none */
  parent: Int32Array
  /** where an id is */
  places: ReadonlyMap<string, number>
  start: number
  end: number
  /** more spans of the trace are on their way */
  isPart: boolean
}

/** @param now ends what runs. A span whose parent is not there, or is below itself, is a root. */
export function treeOf(all: readonly Span[], now = Date.now(), isPart = false): Tree {
  const known = new Map(all.map((span, i) => [span.id, i]))
  const children: number[][] = all.map(() => [])
  const roots: number[] = []
  for (const [i, span] of all.entries()) {
    const parent = span.parent === null ? undefined : known.get(span.parent)
    if (parent === undefined || parent === i) roots.push(i)
    else children[parent]!.push(i)
  }
  const byStart = (a: number, b: number) =>
    all[a]!.start - all[b]!.start || (all[a]!.id < all[b]!.id ? -1 : 1)
  const spans: Span[] = []
  const depth = new Uint16Array(all.length)
  const parent = new Int32Array(all.length).fill(-1)
  const below = new Int32Array(all.length)
  const seen = new Uint8Array(all.length)
  const visit = (root: number) => {
    const waiting: { span: number; depth: number; parent: number }[] = [{ span: root, depth: 0, parent: -1 }]
    while (waiting.length > 0) {
      const next = waiting.pop()!
      if (seen[next.span]) continue
      seen[next.span] = 1
      const place = spans.length
      spans.push(all[next.span]!)
      depth[place] = Math.min(next.depth, 65_535)
      parent[place] = next.parent
      const inside = children[next.span]!.sort(byStart)
      for (let i = inside.length - 1; i >= 0; i--)
        waiting.push({ span: inside[i]!, depth: next.depth + 1, parent: place })
    }
  }
  for (const root of roots.sort(byStart)) visit(root)
  // Only spans in a circle are left.
  for (let i = 0; i < all.length; i++) if (!seen[i]) visit(i)
  for (let i = spans.length - 1; i > 0; i--) if (parent[i]! >= 0) below[parent[i]!]! += below[i]! + 1
  let start = Number.POSITIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  for (const span of spans) {
    start = Math.min(start, span.start)
    end = Math.max(end, span.end ?? now)
  }
  const places = new Map(spans.map((span, i) => [span.id, i]))
  return { spans, depth, below, parent, places, start, end: Math.max(end, start + 1), isPart }
}

export interface Shown {
  collapsed: ReadonlySet<string>
  /** part of a name, in lower case; empty: any */
  text: string
  errorsOnly: boolean
  /** ids of the calls that have the text in their content */
  inside?: ReadonlySet<string> | undefined
}

/** Whether the text is in what is known of a call. */
const matches = (span: Span, text: string, inside: ReadonlySet<string> | undefined): boolean =>
  text === '' || span.name.toLowerCase().includes(text) || span.id === text || inside?.has(span.id) === true

/** The places of the rows that are shown. Those that match are shown with all above them. */
export function visibleRows(tree: Tree, { collapsed, text, errorsOnly, inside }: Shown): Int32Array {
  const { spans, below, parent } = tree
  const rows = new Int32Array(spans.length)
  let count = 0
  if (text === '' && !errorsOnly) {
    for (let i = 0; i < spans.length; i++) {
      rows[count++] = i
      if (collapsed.has(spans[i]!.id)) i += below[i]!
    }
    return rows.subarray(0, count)
  }
  const wanted = new Uint8Array(spans.length)
  for (const [i, span] of spans.entries()) {
    if ((errorsOnly && !span.failed) || !matches(span, text, inside)) continue
    for (let at = i; at >= 0 && !wanted[at]; at = parent[at]!) wanted[at] = 1
  }
  for (let i = 0; i < spans.length; i++) if (wanted[i]) rows[count++] = i
  return rows.subarray(0, count)
}

/** The places of the calls that match, without those above them, in the order in which they began. */
export function logRows({ spans }: Tree, { text, errorsOnly, inside }: Omit<Shown, 'collapsed'>): Int32Array {
  const rows = new Int32Array(spans.length)
  let count = 0
  for (const [i, span] of spans.entries())
    if (!(errorsOnly && !span.failed) && matches(span, text, inside)) rows[count++] = i
  return rows.subarray(0, count).sort((a, b) => spans[a]!.start - spans[b]!.start || a - b)
}

/** The spans that the end of the trace waited for: from each, the child that ended last before the next one began. */
export function criticalPath(tree: Tree, now = Date.now()): Set<number> {
  const children: number[][] = tree.spans.map(() => [])
  for (const [i, parent] of tree.parent.entries()) if (parent >= 0) children[parent]!.push(i)
  const endOf = (i: number) => tree.spans[i]!.end ?? now
  const path = new Set<number>()
  const waiting = tree.spans.length > 0 ? [0] : []
  while (waiting.length > 0) {
    const at = waiting.pop()!
    path.add(at)
    let until = endOf(at)
    for (const child of children[at]!.sort((a, b) => endOf(b) - endOf(a))) {
      if (endOf(child) > until) continue
      waiting.push(child)
      until = tree.spans[child]!.start
    }
  }
  return path
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]
/** From where times are no longer read in tens. */
const STEPS = [
  ...[15, 30].map((one) => one * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((one) => one * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((one) => one * HOUR),
]

/** The next larger 1, 2 or 5 with noughts. */
function rounded(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  return [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? 10 * power
}

/** Round times for an axis of `most` labels, from the start, in ms. */
export function ticksOf(from: number, to: number, most: number): number[] {
  const rough = (to - from) / Math.max(1, most)
  const step =
    rough <= 10_000 ? rounded(rough) : (STEPS.find((one) => one >= rough) ?? rounded(rough / DAY) * DAY)
  const ticks: number[] = []
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at)
  return ticks
}
