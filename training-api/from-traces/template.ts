/** Fills in templates with {dotted.paths} into a row. Pure. */
import { isObject } from '../../platform/json/object.js'
import { LeftOut } from './left-out.js'
import { holdsRef } from './refs.js'

const PIECE = /\{\{|\}\}|\{([^{}]+)\}/g

/** The value at a dotted path; a number is a list index, `\.` a dot in a key. Undefined if missing. */
export function valueAt(row: unknown, path: string): unknown {
  let here = row
  for (const part of path.split(/(?<!\\)\./).map((one) => one.replaceAll('\\.', '.'))) {
    if (Array.isArray(here) && /^\d+$/.test(part)) here = here[Number(part)]
    else if (isObject(here) && Object.hasOwn(here, part)) here = here[part]
    else return undefined
  }
  return here
}

/** @throws LeftOut naming the path that is missing or empty */
export function filled(template: string, row: unknown): string {
  return template.replace(PIECE, (piece, path: string | undefined) => {
    if (path === undefined) return piece[0]!
    const value = valueAt(row, path.trim())
    if (value === undefined || value === null || value === '')
      throw new LeftOut('no_value', `The template's field ${path.trim().slice(0, 100)} is missing or empty.`)
    const text = JSON.stringify(value)
    if (holdsRef(text)) throw new LeftOut('unresolved_ref')
    return typeof value === 'string' ? value : text
  })
}
