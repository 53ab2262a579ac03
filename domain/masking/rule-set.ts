/**
 * Rules, compiled: texts in, masked texts out, with counts. Pure. What comes first in a set wins where matches overlap.
 */
import { createHmac } from 'node:crypto'
import { RE2JS } from 're2js'
import type { MaskRule } from '../../contract/masking.js'
import type { Found } from './credential-forms.js'
import { anyHint, detectors } from './detectors.js'
import { type Literal, literalsOf, literalsOfNames } from './literals.js'
import { maskJson } from './mask-json.js'
import { Names } from './names.js'

/** A rule, and where it comes from. */
export interface ScopedRule {
  rule: MaskRule
  /** `*`, an entity, or entity/project */
  scope: string
  /** of the scope; hashes of equal texts are equal where it is */
  salt: string
}

/** What is counted: one for each match. @param at the rule's place in the set */
export type Count = (at: number) => void

interface Compiled {
  find?: (text: string, found: Found) => void
  /** False if it finds nothing in a text, or in any of the texts in it. Absent: it can't be said at a glance. */
  may?: (text: string) => boolean
  /** One of them stands in every match. Absent: it can't be said. */
  literals?: readonly Literal[] | undefined
  /** Of a pattern: {@link may} of UTF-8 among other bytes. */
  mayIn?: (bytes: Uint8Array) => boolean
  path?: PathTest
  replace: (match: string) => string
}

/** More literals are not looked for one by one. */
const MOST_LITERALS = 8
/** Steps of a compiled pattern: each character of a text may cost as many. */
const MOST_STEPS = 1000
const HASH_DIGITS = 12
/** Other numbers of JSON are counts, times and measures, of which patterns would make texts; the shortest card has so many. */
const LONG_NUMBER = /^\d{13,19}$/
/** What depends on where a text begins or ends. */
const ENDS = /[$^]|\\[AzZB]/
/** How JSON may write what detectors look for; some encoders do so with every `+`. */
export const ESCAPE = '\\u00'
/** How JSON writes other characters. */
const ESCAPED = /\\["\\/bfnrtu]/
const BACKSLASH = 0x5c
/** Refs lead to what is stored, and must stay. */
const REF = /^weave(?:-trace-internal)?:\/\/\/\S*$/
/** Fewer characters than this show nothing of themselves. */
const SHORT = 8

/** What is wrong with a rule, in words; undefined: nothing. */
export function ruleProblem(rule: MaskRule): string | undefined {
  try {
    compiled({ rule, scope: '', salt: '' })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

export class RuleSet {
  private readonly compiled: readonly Compiled[]
  private readonly finders: readonly (readonly [find: NonNullable<Compiled['find']>, at: number])[]
  private readonly paths: readonly (readonly [path: PathTest, at: number])[]
  private readonly mays: readonly NonNullable<Compiled['may']>[]
  /** whether every match is where a detector's hint or a literal is, so that texts without one need not be looked at */
  readonly isHinted: boolean
  /** of its patterns and names */
  readonly literals: readonly Literal[]
  /** whether {@link mayMatch} can ever say no */
  readonly canSayNo: boolean
  readonly hasPaths: boolean
  /** whether nothing is ever masked */
  readonly isEmpty: boolean

  /** @param rules those that {@link ruleProblem} has no word about */
  constructor(readonly rules: readonly ScopedRule[]) {
    this.compiled = rules.map(compiled)
    this.isEmpty = rules.length === 0
    this.literals = this.compiled.flatMap(({ literals = [] }) => literals)
    this.isHinted =
      this.literals.length <= MOST_LITERALS &&
      rules.every(({ rule }, at) => rule.detector !== null || this.compiled[at]!.literals !== undefined)
    this.finders = this.compiled.flatMap(({ find }, at) => (find ? [[find, at] as const] : []))
    this.paths = this.compiled.flatMap(({ path }, at) => (path ? [[path, at] as const] : []))
    this.hasPaths = this.paths.length > 0
    this.mays = this.compiled.flatMap(({ may }) => (may ? [may] : []))
    this.canSayNo = this.mays.length === rules.length
  }

  /**
   * False if nothing in `text` would be masked, nor in texts that stand in it, as far as can be seen at a glance.
   */
  mayMatch(text: string): boolean {
    if (!this.canSayNo) return true
    for (const may of this.mays) if (may(text)) return true
    return false
  }

  /** False if no detector finds anything in `latin1`, bytes of UTF-8 and others, as far as can be seen at a glance. */
  mayDetect(latin1: string): boolean {
    if (!anyHint.test(latin1)) return false
    return this.compiled.some(({ may, mayIn }) => may !== undefined && mayIn === undefined && may(latin1))
  }

  /** The same of patterns, in UTF-8 among other bytes, and in JSON in these. */
  mayFit(bytes: Buffer): boolean {
    for (let at = bytes.indexOf(BACKSLASH); at >= 0; at = bytes.indexOf(BACKSLASH, at + 1))
      if (ESCAPED.test(bytes.toString('latin1', at, at + 2))) return true
    return this.compiled.some(({ mayIn }) => mayIn?.(bytes) === true)
  }

  /** The same of JSON, in which any character may be written by its number. */
  private mayMatchJson(text: string): boolean {
    return this.mayMatch(text) || text.includes(ESCAPE)
  }

  /** A plain text, masked; the same one if nothing is. @param count told of each match */
  text(text: string, count?: Count): string {
    if (text === '' || !this.mayMatch(text)) return text
    const matches: [from: number, to: number, at: number][] = []
    for (const [find, at] of this.finders) {
      if (this.compiled[at]!.may?.(text) === false) continue
      find(text, (from, to) => void (to > from && matches.push([from, to, at])))
    }
    if (matches.length === 0) return text
    return this.replaced(text, withoutOverlaps(matches), count)
  }

  /** The same of a text that may be JSON, which stays JSON then. */
  textOrJson(text: string, count?: Count, path: readonly string[] = []): string {
    const first = text.charCodeAt(0)
    // { or [
    if ((first === 0x7b || first === 0x5b) && (this.hasPaths || this.mayMatchJson(text))) {
      const masked = this.json(text, count, path)
      if (masked !== undefined) return masked
    }
    return this.text(text, count)
  }

  /**
   * JSON text, its strings masked, and numbers that a detector takes for something; undefined if it is no JSON.
   * @param path where it stands, for rules of paths @param only masks only below these keys
   */
  json(
    text: string,
    count?: Count,
    path: readonly string[] = [],
    only?: ReadonlySet<string>,
  ): string | undefined {
    if (!this.hasPaths && !this.mayMatchJson(text)) return text
    return maskJson(text, {
      ...{ path, ...(only && { only }) },
      key: (key) => this.text(key, count),
      string: (value, at) => this.value(value, at, count),
      number: (value, at) => {
        return this.byPath(value, at, count) ?? (LONG_NUMBER.test(value) ? this.number(value, count) : value)
      },
    })
  }

  /** A string that stands at `path`. */
  value(text: string, path: readonly string[], count?: Count): string {
    if (text === '' || REF.test(text)) return text
    return this.byPath(text, path, count) ?? this.textOrJson(text, count, path)
  }

  /** A long number of JSON: only detectors know whether it is one, since they check its digits. */
  private number(text: string, count: Count | undefined): string {
    for (const [find, at] of this.finders) {
      if (this.rules[at]!.rule.detector === null) continue
      let isWhole = false
      find(text, (from, to) => {
        isWhole ||= from === 0 && to === text.length
      })
      if (!isWhole) continue
      count?.(at)
      return this.compiled[at]!.replace(text)
    }
    return text
  }

  private byPath(text: string, path: readonly string[], count: Count | undefined): string | undefined {
    for (const [test, at] of this.paths)
      if (test(path)) {
        count?.(at)
        return this.compiled[at]!.replace(text)
      }
    return undefined
  }

  private replaced(
    text: string,
    matches: readonly (readonly [number, number, number])[],
    count: Count | undefined,
  ): string {
    let out = ''
    let copied = 0
    for (const [from, to, at] of matches) {
      count?.(at)
      out += text.slice(copied, from) + this.compiled[at]!.replace(text.slice(from, to))
      copied = to
    }
    return out + text.slice(copied)
  }
}

/** The matches of earlier rules, and those of later ones that none of them touches, by where they are. */
function withoutOverlaps(matches: [number, number, number][]): [number, number, number][] {
  if (matches.length === 1) return matches
  matches.sort((a, b) => a[0] - b[0] || a[2] - b[2])
  const kept: [number, number, number][] = []
  for (const match of matches) {
    const last = kept.at(-1)
    if (last === undefined || match[0] >= last[1]) kept.push(match)
    // What two rules touch is masked whole, as the earlier one says.
    else kept[kept.length - 1] = [last[0], Math.max(last[1], match[1]), Math.min(last[2], match[2])]
  }
  return kept
}

function compiled({ rule, salt }: ScopedRule): Compiled {
  const replace = replacing(rule, salt)
  if (rule.detector !== null) {
    const { find, hint } = detectors[rule.detector]
    return { find, may: (text) => hint.test(text), replace }
  }
  if (rule.names !== null) {
    const names = new Names(rule.names, rule.ignore_case)
    const literals = literalsOfNames(rule.names, rule.ignore_case)
    return { find: (text, found) => names.find(text, found), literals, replace }
  }
  if (rule.pattern !== null) return { ...patternFinder(rule.pattern, rule.ignore_case), replace }
  return { path: pathTest(rule.path!), replace }
}

/** @throws Error that says what is wrong with the pattern */
function patternFinder(pattern: string, ignoreCase: boolean): Omit<Compiled, 'path' | 'replace'> {
  const made = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  if (made.programSize() > MOST_STEPS)
    throw new Error('the pattern is too large when its repetitions are written out')
  if (made.matcher('').find()) throw new Error('the pattern matches the empty text')
  const find = (text: string, found: Found) => {
    const matcher = made.matcher(text)
    while (matcher.find()) found(matcher.start(), matcher.end())
  }
  const literals = literalsOf(pattern, ignoreCase)
  // Where a text within the text begins and ends, it does not see.
  if (ENDS.test(pattern.replaceAll('[^', '['))) return { find, literals }
  // What a backslash stands for, it does not see either.
  return {
    find,
    literals,
    may: (text) => ESCAPED.test(text) || made.test(text),
    mayIn: (bytes) => made.test(bytes),
  }
}

function labelOf(rule: MaskRule): string {
  if (rule.label !== null) return rule.label
  if (rule.detector !== null) return detectors[rule.detector].label
  return rule.names !== null ? 'NAME' : 'MASKED'
}

function replacing(rule: MaskRule, salt: string): Compiled['replace'] {
  const label = labelOf(rule)
  if (rule.how === 'stars') return (match) => '*'.repeat(match.length)
  if (rule.how === 'last4') return lastFour
  if (rule.how === 'hash')
    return (match) => {
      const digest = createHmac('sha256', salt).update(match).digest('hex').slice(0, HASH_DIGITS)
      return `[${label}:${digest}]`
    }
  return () => `[${label}]`
}

/** Stars for letters and digits but the last four; what stands between them stays. */
function lastFour(match: string): string {
  const shown = match.replace(/[^\p{L}\p{N}]/gu, '').length
  if (shown < SHORT) return '*'.repeat(match.length)
  let left = shown - 4
  return match.replace(/[\p{L}\p{N}]/gu, (one) => (left-- > 0 ? '*' : one))
}

/** Whether a path means the field with these parts, or one that it is in, which may have dots of their own. */
type PathTest = (parts: readonly string[]) => boolean

/** Of `inputs.user.name`, `*` for any one part, `**.ssn` for `ssn` anywhere. @throws Error that says what is wrong with it */
function pathTest(path: string): PathTest {
  const isAnywhere = path.startsWith('**.')
  const wanted = (isAnywhere ? path.slice(3) : path).split('.')
  if (wanted.some((part) => part === '' || part === '**')) throw new Error(`"${path}" is not a path of names`)
  return (parts) => {
    // Attributes of exporters have names with dots; what they mean is the same.
    const all = parts.some((part) => part.includes('.')) ? parts.flatMap((part) => part.split('.')) : parts
    const last = isAnywhere ? all.length - wanted.length : Math.min(0, all.length - wanted.length)
    for (let from = 0; from <= last; from++)
      if (wanted.every((part, i) => part === '*' || part === all[from + i])) return true
    return false
  }
}
