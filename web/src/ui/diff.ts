/** What differs between two values. Pure. */

export interface Change {
  path: string
  kind: 'added' | 'removed' | 'changed'
  before?: unknown
  after?: unknown
}

const isInside = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The members that differ, each at the highest place where it does, in the order of the value. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const changes: Change[] = []
  const walk = (old: unknown, now: unknown, path: string) => {
    if (Object.is(old, now)) return
    if (!isInside(old) || !isInside(now) || Array.isArray(old) !== Array.isArray(now)) {
      changes.push({ path, kind: 'changed', before: old, after: now })
      return
    }
    const [olds, nows] = [old as Record<string, unknown>, now as Record<string, unknown>]
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const inner = path === '' ? key : `${path}.${key}`
      if (!Object.hasOwn(nows, key)) changes.push({ path: inner, kind: 'removed', before: olds[key] })
      else if (!Object.hasOwn(olds, key)) changes.push({ path: inner, kind: 'added', after: nows[key] })
      else walk(olds[key], nows[key], inner)
    }
  }
  walk(before, after, '')
  return changes
}

export interface Line {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Longer texts are compared as a whole: the time grows with the product of the lines. */
const MOST_LINES = 2_000

/** The lines of two texts, with the longest common ones kept. */
export function linesOf(before: string, after: string): Line[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const all = (kind: Line['kind'], lines: readonly string[]): Line[] => lines.map((text) => ({ kind, text }))
  if (old.length > MOST_LINES || now.length > MOST_LINES)
    return before === after ? all('same', old) : [...all('removed', old), ...all('added', now)]
  const width = now.length + 1
  /** how many lines are common from (i, j) on */
  const common = new Uint16Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < old.length && j < now.length)
    if (old[i] === now[j]) {
      lines.push({ kind: 'same', text: old[i++]! })
      j++
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
      lines.push({ kind: 'removed', text: old[i++]! })
    else lines.push({ kind: 'added', text: now[j++]! })
  return [...lines, ...all('removed', old.slice(i)), ...all('added', now.slice(j))]
}

/** The rows that only one of two tables has, by their digests. A row that is there twice counts twice. */
export function rowChanges<Row extends { digest: string }>(
  before: readonly Row[],
  after: readonly Row[],
): { added: Row[]; removed: Row[] } {
  return { added: without(after, before), removed: without(before, after) }
}

function without<Row extends { digest: string }>(rows: readonly Row[], others: readonly Row[]): Row[] {
  const left = new Map<string, number>()
  for (const { digest } of others) left.set(digest, (left.get(digest) ?? 0) + 1)
  return rows.filter(({ digest }) => {
    const times = left.get(digest) ?? 0
    left.set(digest, times - 1)
    return times <= 0
  })
}
