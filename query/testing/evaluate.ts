/**
 * For tests only: evaluates `$expr` in the slow and obvious way, over one call as an object. Null means "unknown" in
 * conditions. Times are not supported.
 */
import type { Operand } from '../../contract/query-expr.js'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** A call: columns by name; the JSON ones parsed. Null: unset. */
export type Row = Record<string, Json>

type Kind = 'json' | 'text' | 'number' | 'bool' | 'constant'
interface Value {
  kind: Kind
  value: Json | undefined
  emptyIsUnset?: boolean
}
const JSON_ROOTS = ['inputs', 'output', 'attributes']
/** Columns in which unset and an empty text are the same value. */
const EMPTY_IS_UNSET = ['display_name']

/** True, false or unknown. */
export function evaluate(expr: Operand, row: Row): boolean | null {
  if ('$and' in expr) return all(expr.$and.map((one) => evaluate(one, row)))
  if ('$or' in expr) return negate(all(expr.$or.map((one) => negate(evaluate(one, row)))))
  if ('$not' in expr) return negate(evaluate(expr.$not[0], row))
  if ('$eq' in expr) return compare((d) => d === 0, '=', expr.$eq, row)
  if ('$gt' in expr) return compare((d) => d > 0, '>', expr.$gt, row)
  if ('$gte' in expr) return compare((d) => d >= 0, '>=', expr.$gte, row)
  if ('$lt' in expr) return compare((d) => d < 0, '<', expr.$lt, row)
  if ('$lte' in expr) return compare((d) => d <= 0, '<=', expr.$lte, row)
  if ('$in' in expr) {
    const [value, list] = expr.$in
    const equal = list.map((one) => compare((d) => d === 0, '=', [value, one], row))
    return negate(all(equal.map(negate)))
  }
  if ('$contains' in expr) {
    const text = textOf(operand(expr.$contains.input, row))
    const part = textOf(operand(expr.$contains.substr, row))
    if (text === null || part === null) return null
    return expr.$contains.case_insensitive
      ? text.toLowerCase().includes(part.toLowerCase())
      : text.includes(part)
  }
  const { kind, value } = operand(expr, row)
  if (kind === 'bool') return value as boolean | null
  if (kind === 'number') return value == null ? null : value !== 0
  const text = textOf({ kind, value })
  return text === null ? null : !['', 'false', '0'].includes(text)
}

function all(list: (boolean | null)[]): boolean | null {
  if (list.includes(false)) return false
  return list.includes(null) ? null : true
}

function negate(value: boolean | null): boolean | null {
  return value === null ? null : !value
}

function operand(expr: Operand, row: Row): Value {
  if ('$literal' in expr) return { kind: 'constant', value: plain(expr) as Json }
  if ('$getField' in expr) {
    const [root, ...path] = expr.$getField.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))
    const whole = row[root!]
    if (EMPTY_IS_UNSET.includes(root!)) return { kind: 'text', value: whole ?? '', emptyIsUnset: true }
    if (!JSON_ROOTS.includes(root!))
      return { kind: typeof whole === 'number' ? 'number' : 'text', value: whole ?? null }
    return { kind: 'json', value: path.reduce<Json | undefined>(step, whole) }
  }
  if ('$convert' in expr) return convert(operand(expr.$convert.input, row), expr.$convert.to)
  if ('$size' in expr) {
    const value = operand(expr.$size, row)
    if (Array.isArray(value.value)) return { kind: 'number', value: value.value.length }
    const text = textOf(value)
    return { kind: 'number', value: text === null ? null : [...text].length }
  }
  return { kind: 'bool', value: evaluate(expr, row) }
}

function plain({ $literal }: { $literal: unknown }): unknown {
  if (Array.isArray($literal)) return $literal.map(plain)
  if ($literal === null || typeof $literal !== 'object') return $literal
  return Object.fromEntries(Object.entries($literal).map(([key, one]) => [key, plain(one)]))
}

function step(value: Json | undefined, part: string): Json | undefined {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(part) ? value[Number(part)] : undefined
  if (value === null || typeof value !== 'object' || /^\d{1,9}$/.test(part)) return undefined
  return Object.hasOwn(value, part) ? value[part] : undefined
}

function convert(value: Value, to: string): Value {
  if (to === 'exists') return { kind: 'bool', value: !isUnset(value) }
  if (to === 'string') return { kind: 'text', value: textOf(value) }
  if (to === 'double') return { kind: 'number', value: numberOf(value) }
  if (to === 'bool') {
    if (value.kind === 'bool') return value
    if (value.kind === 'number')
      return { kind: 'bool', value: value.value == null ? null : value.value !== 0 }
    const text = textOf(value) ?? ''
    return {
      kind: 'bool',
      value: ['true', '1'].includes(text) ? true : ['false', '0'].includes(text) ? false : null,
    }
  }
  const text = textOf(value)
  if (value.kind === 'json' || value.kind === 'text' || typeof value.value === 'string')
    return { kind: 'number', value: text !== null && /^[+-]?\d{1,15}$/.test(text) ? Number(text) : null }
  const number = numberOf(value)
  return { kind: 'number', value: number === null || !Number.isFinite(number) ? null : Math.trunc(number) }
}

function compare(
  holds: (difference: number) => boolean,
  sign: string,
  [first, second]: readonly [Operand, Operand],
  row: Row,
): boolean | null {
  const a = operand(first, row)
  const b = operand(second, row)
  if (a.kind === 'constant' && b.kind !== 'constant') return compareValues((d) => holds(-d), sign, b, a)
  return compareValues(holds, sign, a, b)
}

function compareValues(holds: (d: number) => boolean, sign: string, a: Value, b: Value): boolean | null {
  const numbers = () => difference(numberOf(a), numberOf(b))
  const texts = () => difference(textOf(a), textOf(b))
  const result = (d: number | null) => (d === null ? null : !Number.isNaN(d) && holds(d))
  if (b.kind === 'constant') {
    if (b.value === null) {
      if (sign !== '=' || a.kind === 'json') return null
      return isUnset(a)
    }
    if (a.kind === 'constant' && a.value === null) return sign === '=' ? false : null
    const wanted = typeof b.value === 'number' ? 'number' : typeof b.value === 'boolean' ? 'bool' : 'text'
    const given =
      a.kind !== 'constant'
        ? a.kind
        : typeof a.value === 'number'
          ? 'number'
          : typeof a.value === 'boolean'
            ? 'bool'
            : 'text'
    if (given !== 'json' && given !== wanted) return null
    // A column that can hold only text is compared with text only, not with lists and objects.
    if (given === 'text' && a.kind === 'text' && typeof b.value === 'object') return null
    if (wanted === 'number') return result(numbers())
    if (wanted === 'bool') return result(difference(boolOf(a), boolOf(b)))
    return result(texts())
  }
  const kinds = new Set([a.kind, b.kind])
  if (kinds.has('text') && kinds.size > 1 && !kinds.has('json')) return null
  if (kinds.has('number')) return kinds.has('bool') ? null : result(numbers())
  if (kinds.has('bool')) return result(difference(boolOf(a), boolOf(b)))
  return result(texts())
}

function isUnset({ value, emptyIsUnset }: Value): boolean {
  return value == null || (emptyIsUnset === true && value === '')
}

function difference(a: string | number | null, b: string | number | null): number | null {
  if (a === null || b === null) return null
  if (typeof a === 'number' && typeof b === 'number') return a === b ? 0 : a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

function boolOf({ value }: Value): number | null {
  if ([true, 'true', 1, '1'].includes(value as never)) return 1
  return [false, 'false', 0, '0'].includes(value as never) ? 0 : null
}

/** The value as text; null for NULL. Inside JSON, null and missing values are ''. */
function textOf({ kind, value }: Value): string | null {
  if (value == null) return kind === 'json' ? '' : null
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

function numberOf(of: Value): number | null {
  if (of.kind === 'number') return (of.value as number | null) ?? null
  if (of.kind === 'bool' || (of.kind === 'constant' && typeof of.value === 'boolean'))
    return of.value == null || of.kind === 'constant' ? null : Number(of.value)
  const text = textOf(of)
  if (text === null) return null
  const [, minus, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(text) ?? []
  if (word) return /nan/i.test(word) ? Number.NaN : minus === '-' ? -Infinity : Infinity
  return NUMBER.test(text) ? Number(text) : null
}
