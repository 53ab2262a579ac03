/**
 * Shapes of values: each checks a JSON value, fills in defaults and returns it as the SDKs store it. Numbers keep
 * their text where the kind of number does not decide it. Pure; knows no class.
 */
import { pythonNumber } from '../../../domain/refs/canonical.js'
import { JsonNumber, type JsonTree } from '../../../platform/json/tree.js'

/** A problem and its path in the value. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'

  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(`${path} ${problem}`)
  }
}

export type Shape = (value: JsonTree, at: string) => JsonTree

const fail = (at: string, problem: string): never => {
  throw new ShapeError(at, problem)
}

export const any: Shape = (value) => value

export const text: Shape = (value, at) => (typeof value === 'string' ? value : fail(at, 'should be a string'))

export const flag: Shape = (value, at) =>
  typeof value === 'boolean' ? value : fail(at, 'should be true or false')

/** A whole number in any notation: `1.0` is 1. */
export const integer: Shape = (value, at) => {
  if (value instanceof JsonNumber) {
    if (/^-?\d+$/.test(value.text)) return value
    const number = Number(value.text)
    if (Number.isSafeInteger(number)) return new JsonNumber(String(number))
  }
  return fail(at, 'should be a whole number')
}

/** A number that is a float to the SDKs: `1` is stored as `1.0`. */
export const float: Shape = (value, at) => {
  if (!(value instanceof JsonNumber)) return fail(at, 'should be a number')
  const plain = pythonNumber(value.text)
  return new JsonNumber(/^-?\d+$/.test(plain) ? pythonNumber(`${plain}.0`) : plain)
}

/** A whole number within bounds, both included. */
export const between =
  (least: number, most = Number.POSITIVE_INFINITY): Shape =>
  (value, at) => {
    const whole = integer(value, at)
    const number = Number((whole as JsonNumber).text)
    if (number >= least && number <= most) return whole
    return fail(
      at,
      most === Number.POSITIVE_INFINITY
        ? `should be at least ${least}`
        : `should be from ${least} to ${most}`,
    )
  }

export const filled: Shape = (value, at) => (text(value, at) === '' ? fail(at, 'should not be empty') : value)

export const oneOf =
  (...options: string[]): Shape =>
  (value, at) =>
    typeof value === 'string' && options.includes(value)
      ? value
      : fail(at, `should be one of ${options.join(', ')}`)

export const nullable =
  (shape: Shape): Shape =>
  (value, at) =>
    value === null ? null : shape(value, at)

export const list =
  (shape: Shape): Shape =>
  (value, at) =>
    Array.isArray(value) ? value.map((item, i) => shape(item, `${at}.${i}`)) : fail(at, 'should be a list')

/** A list of fixed length, each item with its own shape. */
export const tuple =
  (...shapes: Shape[]): Shape =>
  (value, at) =>
    Array.isArray(value) && value.length === shapes.length
      ? value.map((item, i) => shapes[i]!(item, `${at}.${i}`))
      : fail(at, `should be a list of ${shapes.length}`)

/** An object with any keys. */
export const record =
  (shape: Shape): Shape =>
  (value, at) =>
    value instanceof Map
      ? new Map([...value].map(([key, item]) => [key, shape(item, `${at}.${key}`)]))
      : fail(at, 'should be an object')

/** The first of `shapes` that fits. */
export const union =
  (problem: string, ...shapes: Shape[]): Shape =>
  (value, at) => {
    for (const shape of shapes) {
      try {
        return shape(value, at)
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error
      }
    }
    return fail(at, problem)
  }

/** A shape that is defined later, for recursive shapes. */
export const later =
  (shape: () => Shape): Shape =>
  (value, at) =>
    shape()(value, at)
