/** What differs between two values. Pure. */
import { diffArrays, diffWordsWithSpace } from 'diff'
import { ExactNumber, isInside } from '../api/json'

export interface Change {
  path: string
  kind: 'added' | 'removed' | 'changed'
  before?: unknown
  after?: unknown
}

/** The members that differ, each at the highest place where it does, in the order of the value. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const changes: Change[] = []
  const walk = (old: unknown, now: unknown, path: string) => {
    if (Object.is(old, now)) return
    if (old instanceof ExactNumber && now instanceof ExactNumber && old.text === now.text) return
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

/** A part of a line. */
export interface Word {
  text: string
  /** the other text has another here */
  isChanged: boolean
}

export interface Line {
  kind: 'same' | 'added' | 'removed'
  words: Word[]
}

/** Texts of more lines, or with more changes, are compared as a whole: the time grows with the square of the changes. */
const MOST_LINES = 20_000
const MOST_CHANGES = 1_000
/** Longer lines, and those beyond so many of a text, are compared as a whole. */
const LONGEST_LINE = 2_000
const MOST_PAIRS = 200
const MOST_WORDS = 200

/** The lines of two texts, with those kept that both have. Of a changed line, the words that differ. */
export function linesOf(before: string, after: string): Line[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const found =
    old.length + now.length > MOST_LINES ? undefined : diffArrays(old, now, { maxEditLength: MOST_CHANGES })
  if (found === undefined) return [...whole('removed', old), ...whole('added', now)]
  const lines: Line[] = []
  let pairs = MOST_PAIRS
  for (const [at, { value, added, removed }] of found.entries()) {
    if (!added && !removed) lines.push(...whole('same', value))
    else if (removed && found[at + 1]?.added) {
      const others = found[at + 1]!.value
      const both = value.slice(0, Math.max(0, pairs)).map((line, i) => wordsOf(line, others[i]))
      pairs -= both.length
      const side = (kind: 'added' | 'removed', own: readonly string[]) =>
        own.map((text, i): Line => ({ kind, words: both[i]?.[kind] ?? [{ text, isChanged: false }] }))
      lines.push(...side('removed', value), ...side('added', others))
    } else if (removed || !found[at - 1]?.removed) lines.push(...whole(added ? 'added' : 'removed', value))
  }
  return lines
}

const whole = (kind: Line['kind'], lines: readonly string[]): Line[] =>
  lines.map((text) => ({ kind, words: [{ text, isChanged: false }] }))

/** The words of a line and of the one that took its place; undefined if they have too little in common to be told apart. */
function wordsOf(before: string, after: string | undefined): Record<'added' | 'removed', Word[]> | undefined {
  if (after === undefined || Math.max(before.length, after.length) > LONGEST_LINE) return undefined
  const found = diffWordsWithSpace(before, after, { maxEditLength: MOST_WORDS })
  if (
    found === undefined ||
    found.every(({ added, removed, value }) => added || removed || value.trim() === '')
  )
    return undefined
  const side = (other: 'added' | 'removed', own: 'added' | 'removed') =>
    found.filter((one) => !one[other]).map((one): Word => ({ text: one.value, isChanged: one[own] }))
  return { removed: side('added', 'removed'), added: side('removed', 'added') }
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
