/** Large values without most of their insides: these are asked for by their path. Pure. */
import { isInside } from '../../api/json'

const MARK = '\u0000cut'
const TEXT = 20_000
const NODES = 3_000
/** Of a list or object with more members, groups are shown first. */
const GROUP = 1_000

export interface Part {
  path: (string | number)[]
  /** of the members, those at these places; absent: all */
  from?: number
  to?: number
}

/** Stands for a value that was left out. */
export interface Cut extends Part {
  [MARK]: 'array' | 'object' | 'string'
  size: number
}

export function isCut(value: unknown): value is Cut {
  return typeof value === 'object' && value !== null && MARK in value
}

/** What is asked for of `root`, with as much inside as fits: lists and objects beyond that, and long texts, are cut. */
export function cutDown(root: unknown, { path: rootPath, from, to }: Part = { path: [] }): unknown {
  let nodes = 0
  const walk = (value: unknown, path: (string | number)[]): unknown => {
    nodes++
    if (typeof value === 'string') return value.length <= TEXT ? value : cut('string', path, value.length)
    if (!isInside(value)) return value
    const size = Array.isArray(value) ? value.length : Object.keys(value).length
    if (nodes + size > NODES) return cut(Array.isArray(value) ? 'array' : 'object', path, size)
    if (Array.isArray(value)) return value.map((one, i) => walk(one, [...path, i]))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, [...path, key])]))
  }
  const value = insideOf(root, rootPath)
  // What was asked for is not cut itself.
  if (!isInside(value)) return value
  const members = Array.isArray(value) ? value : Object.entries(value)
  if (from === undefined && members.length > GROUP) return groupsOf(members.length, rootPath)
  if (from === undefined && Array.isArray(value)) return value.map((one, i) => walk(one, [...rootPath, i]))
  const entries = Array.isArray(value)
    ? value.slice(from, to).map((one, i): [number, unknown] => [(from ?? 0) + i, one])
    : Object.entries(value).slice(from, to)
  return Object.fromEntries(entries.map(([key, one]) => [key, walk(one, [...rootPath, key])]))
}

/** The members by their places, many in each group; none has many more members than there are groups. */
function groupsOf(size: number, path: (string | number)[]): Record<string, Cut> {
  const length = Math.max(GROUP, Math.ceil(Math.sqrt(size)))
  const starts = Array.from({ length: Math.ceil(size / length) }, (_, i) => i * length)
  return Object.fromEntries(
    starts.map((from) => {
      const to = Math.min(size, from + length)
      return [`${from} … ${to - 1}`, { ...cut('object', path, to - from), from, to }]
    }),
  )
}

function cut(kind: Cut[typeof MARK], path: (string | number)[], size: number): Cut {
  return { [MARK]: kind, path, size }
}

/** The value at `path`. */
function insideOf(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown> | undefined)?.[key],
    root,
  )
}
