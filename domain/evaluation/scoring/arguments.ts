/** What scorers are given of a call beside its output. Pure. */
import type { JsonTree } from '../../../platform/json/tree.js'
import { at, parsed } from './values.js'

export type Row = ReadonlyMap<string, JsonTree>

/** A call's arguments, without the object that it was called on. @param call its JSON texts */
export function argumentsOf({ inputs, attributes }: { inputs: string; attributes: string }): Row {
  const given: JsonTree = parsed(inputs) ?? null
  const wrapped = at(parsed(attributes) ?? null, ['weave', 'prediction']) === 'true'
  const row = wrapped ? (at(given, ['inputs']) ?? null) : given
  if (!(row instanceof Map)) return new Map()
  return new Map([...row].filter(([name]) => name !== 'self' && name !== 'this'))
}

/** Adds a scorer's own names for columns to a row. */
export function mapped(row: Row, columns: Readonly<Record<string, string>>): Row {
  const named = Object.entries(columns).flatMap(([own, theirs]): [string, JsonTree][] =>
    row.has(theirs) ? [[own, row.get(theirs)!]] : [],
  )
  return new Map([...row, ...named])
}
