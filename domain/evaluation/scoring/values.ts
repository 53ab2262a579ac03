/** How scorers look into rows and outputs, and what counts as a text or a number. Pure. */
import { JsonError } from '../../../platform/json/error.js'
import { JsonNumber, type JsonTree, parseTree, treeText } from '../../../platform/json/tree.js'

/** The value at a path of keys and indices; undefined: nothing is there. */
export function at(tree: JsonTree, path: readonly string[]): JsonTree | undefined {
  let here: JsonTree | undefined = tree
  for (const key of path) {
    if (here instanceof Map) here = here.get(key)
    else if (Array.isArray(here) && /^\d{1,9}$/.test(key)) here = here[Number(key)]
    else return undefined
  }
  return here
}

/** A column of a row: by its name, else by a path with dots. */
export function column(row: JsonTree, name: string): JsonTree | undefined {
  return (row instanceof Map ? row.get(name) : undefined) ?? at(row, name.split('.'))
}

/** The part of an output that a scorer looks at. A text with JSON in it is looked into. */
export function part(output: JsonTree, path: string): JsonTree | undefined {
  if (path === '') return output
  return column(typeof output === 'string' ? (parsed(output) ?? output) : output, path)
}

/** JSON text as a value; undefined: it is none. */
export function parsed(text: string): JsonTree | undefined {
  try {
    return parseTree(text)
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

/** A value as text: a text itself, anything else as JSON. */
export function textOf(value: JsonTree): string {
  return typeof value === 'string' ? value : treeText(value)
}

const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** A number, a text of one, or a text with one number in it; NaN for all else. */
export function numberOf(value: JsonTree): number {
  if (value instanceof JsonNumber) return Number(value.text)
  if (typeof value !== 'string') return Number.NaN
  const found =
    value
      .slice(0, 10_000)
      .replaceAll(/(?<=\d),(?=\d{3})/g, '')
      .match(NUMBERS) ?? []
  return found.length === 1 ? Number(found[0]) : Number.NaN
}
