/** Looks up values in rows and outputs for scorers, and reads them as text or numbers. Pure. */
import { JsonError } from '../../../platform/json/error.js'
import { JsonNumber, type JsonTree, parseTree, treeText } from '../../../platform/json/tree.js'

/** The value at a path of keys and indexes; undefined if absent. */
export function at(tree: JsonTree, path: readonly string[]): JsonTree | undefined {
  let here: JsonTree | undefined = tree
  for (const key of path) {
    if (here instanceof Map) here = here.get(key)
    else if (Array.isArray(here) && /^\d{1,9}$/.test(key)) here = here[Number(key)]
    else return undefined
  }
  return here
}

/** A column of a row: by name, else by dotted path. */
export function column(row: JsonTree, name: string): JsonTree | undefined {
  return (row instanceof Map ? row.get(name) : undefined) ?? at(row, name.split('.'))
}

/** The part of an output at `path`. If the output is JSON text, looks into it. */
export function part(output: JsonTree, path: string): JsonTree | undefined {
  if (path === '') return output
  return column(typeof output === 'string' ? (parsed(output) ?? output) : output, path)
}

/** Parses JSON text; undefined if it is not JSON. */
export function parsed(text: string): JsonTree | undefined {
  if (text === '') return undefined
  try {
    return parseTree(text)
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

/** A value as text: strings as they are, anything else as JSON. */
export function textOf(value: JsonTree): string {
  return typeof value === 'string' ? value : treeText(value)
}

const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** The value as a number: a number, numeric text, or text with exactly one number in it; NaN for anything else. */
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
