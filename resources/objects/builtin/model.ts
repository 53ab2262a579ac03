/** Shapes of objects with named fields, stored with the names of their class and its bases. Pure; knows no class. */
import type { JsonTree } from '../../../platform/json/tree.js'
import { nullable, type Shape, ShapeError } from './shape.js'

export interface Field {
  shape: Shape
  /** the default; undefined: the field is required */
  absent: JsonTree | undefined
}
export type Fields = Record<string, Field>

export interface ModelOptions {
  /** names of its base classes, nearest first */
  bases: readonly string[]
  /** true: unknown fields are refused; else they are dropped */
  closed?: boolean
  /** checks the fields together */
  check?: (fields: Map<string, JsonTree>, at: string) => void
}

export const required = (shape: Shape): Field => ({ shape, absent: undefined })
export const optional = (shape: Shape, absent: JsonTree = null): Field => ({ shape, absent })

export const maybe = (shape: Shape): Field => optional(nullable(shape))

/** A model whose only base is `BaseModel`. */
export const plain = (name: string, fields: Fields): Shape => model(name, fields, { bases: ['BaseModel'] })

/** Keys that name a stored object's class; clients that send an object back keep them. */
const MARKS = new Set(['_type', '_class_name', '_bases'])

/** The shape of class `name`. Defaults are checked by their field's shape too. */
export function model(name: string, fields: Fields, { bases, closed = false, check }: ModelOptions): Shape {
  return (value, at) => {
    if (!(value instanceof Map)) throw new ShapeError(at, 'should be an object')
    const stored = new Map<string, JsonTree>([['_type', name]])
    for (const [key, { shape, absent }] of Object.entries(fields)) {
      const given = value.get(key) ?? (value.has(key) ? null : absent)
      if (given === undefined) throw new ShapeError(`${at}.${key}`, 'is missing')
      const asDefault = !value.has(key) && given === null
      stored.set(key, asDefault ? null : shape(given, `${at}.${key}`))
    }
    if (closed) {
      const unknown = [...value.keys()].find((key) => !Object.hasOwn(fields, key) && !MARKS.has(key))
      if (unknown !== undefined) throw new ShapeError(`${at}.${unknown}`, 'is no field of this class')
    }
    check?.(stored, at)
    stored.set('_class_name', name)
    stored.set('_bases', [...bases])
    return stored
  }
}
