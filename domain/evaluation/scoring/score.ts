/** The built-in scorers that use no model: each turns a rule into a function of an output and its row. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { distance } from 'fastest-levenshtein'
import { type JsonTree, treeValue } from '../../../platform/json/tree.js'
import { schemaCheck } from '../../../platform/json-schema/check.js'
import { pattern } from '../../../platform/json-schema/pattern.js'
import type { Rule } from '../plan.js'
import { OF_OUTPUTS, signalOf } from './signals.js'
import { column, numberOf, parsed, part, textOf } from './values.js'

/** A scorer can't score this row; becomes the error of this row only. */
export class ScoreError extends Error {
  override readonly name = 'ScoreError'
}

export type Score = Record<string, boolean | number | string | null>
export type PlainRule = Exclude<Rule, { kind: 'judge' | 'classifier' | 'remote' | 'rubric' }>

/** Whether nobody else is asked. */
export const isPlain = (rule: Rule): rule is PlainRule => !('model' in rule) && rule.kind !== 'remote'

/** Whether a score depends on, or shows, more of a call than its output. */
export function looksAtInputs(rule: Rule): boolean {
  if (rule.kind === 'signal') return !OF_OUTPUTS.has(rule.signal)
  return 'target' in rule || !isPlain(rule)
}

export type Scoring = (output: JsonTree, row: JsonTree) => Score

/** Longer texts are compared by prefix: the cost grows with the product of their lengths. */
const COMPARED = 10_000

/** @throws Error that describes what is wrong with the rule */
export function scoring(rule: PlainRule): Scoring {
  switch (rule.kind) {
    case 'exact':
      return exact(rule)
    case 'contains':
      return contains(rule)
    case 'regex': {
      const { whole, path } = rule
      const compiled = pattern(rule.pattern, rule.ignore_case)
      return (output) => ({ passed: compiled.test(textOf(found(output, path)), whole) })
    }
    case 'schema':
      return fits(rule)
    case 'numeric':
      return near(rule)
    case 'similarity':
      return similar(rule)
    case 'signal':
      return (output, row) => ({ ...signalOf(rule.signal, found(output, rule.path), row) })
  }
}

type RuleOf<K extends Rule['kind']> = Extract<Rule, { kind: K }>

function exact({ target, path, ignore_case, trim }: RuleOf<'exact'>): Scoring {
  const plain = (text: string) => {
    const inner = trim ? text.trim() : text
    return ignore_case ? inner.toLowerCase() : inner
  }
  return (output, row) => {
    const [one, other] = [found(output, path), wanted(row, target)]
    const asTexts = typeof one === 'string' || typeof other === 'string'
    const passed = asTexts
      ? plain(textOf(one)) === plain(textOf(other))
      : isDeepStrictEqual(treeValue(one), treeValue(other))
    return { passed }
  }
}

function contains({ target, path, texts, all, ignore_case }: RuleOf<'contains'>): Scoring {
  const plain = (text: string) => (ignore_case ? text.toLowerCase() : text)
  return (output, row) => {
    const inside = plain(textOf(found(output, path)))
    const given = texts ?? listOf(wanted(row, target))
    const has = (text: string) => inside.includes(plain(text))
    return { passed: all ? given.every(has) : given.some(has) }
  }
}

function listOf(value: JsonTree): string[] {
  return Array.isArray(value) ? value.map(textOf) : [textOf(value)]
}

function fits({ path, schema }: RuleOf<'schema'>): Scoring {
  const check = schemaCheck(schema)
  return (output) => {
    const value = found(output, path)
    const json = typeof value === 'string' ? parsed(value) : value
    // Text that is not JSON may still satisfy the schema.
    const first = json === undefined ? 'the output is not JSON' : check(treeValue(json))?.why
    const problem =
      first !== undefined && typeof value === 'string' && check(value) === undefined ? undefined : first
    return { passed: problem === undefined, problem: problem ?? null }
  }
}

function near({ target, path, absolute, relative }: RuleOf<'numeric'>): Scoring {
  return (output, row) => {
    const expected = numberOf(wanted(row, target))
    if (Number.isNaN(expected)) throw new ScoreError(`The row's "${target}" is not a number.`)
    const difference = Math.abs(numberOf(found(output, path)) - expected)
    if (Number.isNaN(difference)) return { passed: false, difference: null }
    return { passed: difference <= Math.max(absolute, relative * Math.abs(expected)), difference }
  }
}

function similar({ target, path, threshold, ignore_case }: RuleOf<'similarity'>): Scoring {
  const plain = (value: JsonTree) => {
    const text = textOf(value).slice(0, COMPARED)
    return ignore_case ? text.toLowerCase() : text
  }
  return (output, row): Score => {
    const [one, other] = [plain(found(output, path)), plain(wanted(row, target))]
    const longest = Math.max(one.length, other.length)
    const similarity = longest === 0 ? 1 : 1 - distance(one, other) / longest
    return threshold === null ? { similarity } : { similarity, passed: similarity >= threshold }
  }
}

function found(output: JsonTree, path: string): JsonTree {
  const value = part(output, path)
  if (value === undefined) throw new ScoreError(`The output has no "${path}".`)
  return value
}

function wanted(row: JsonTree, target: string): JsonTree {
  const value = column(row, target)
  if (value === undefined) throw new ScoreError(`The row has no column "${target}".`)
  return value
}
