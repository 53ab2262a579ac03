/** The conditions by which Langfuse's SDKs filter versions of prompts. Pure. */
import type { LangfuseFilter } from '../../../contract/langfuse-filter.js'
import { errors } from '../../../platform/errors/catalog.js'
import { choiceOf } from '../query/column.js'

/** What a condition can ask of a version. */
export interface PromptFacts {
  id: string
  name: string
  type: string
  version: number
  /** ms since 1970 */
  createdAt: number
  updatedAt: number
  labels: readonly string[]
  tags: readonly string[]
  config: unknown
}

type Test<T> = (value: T, wanted: LangfuseFilter['value']) => boolean
type Tests<T> = Readonly<Record<string, Test<T>>>

const textOf = (wanted: LangfuseFilter['value']) => (typeof wanted === 'string' ? wanted : '')
const listOf = (wanted: LangfuseFilter['value']): readonly string[] =>
  Array.isArray(wanted) ? wanted : [textOf(wanted)]
/** Letters of either case are alike, as in Langfuse. */
const folded =
  (test: (text: string, part: string) => boolean): Test<string> =>
  (text, wanted) =>
    test(text.toLowerCase(), textOf(wanted).toLowerCase())

const TEXT: Tests<string> = {
  '=': (text, wanted) => text === wanted,
  contains: folded((text, part) => text.includes(part)),
  'does not contain': folded((text, part) => !text.includes(part)),
  'starts with': folded((text, part) => text.startsWith(part)),
  'ends with': folded((text, part) => text.endsWith(part)),
  'is not empty': (text) => text !== '',
  'any of': (text, wanted) => listOf(wanted).includes(text),
  'none of': (text, wanted) => !listOf(wanted).includes(text),
}
const NUMBER: Tests<number> = {
  '=': (a, b) => a === b,
  '>': (a, b) => a > Number(b),
  '<': (a, b) => a < Number(b),
  '>=': (a, b) => a >= Number(b),
  '<=': (a, b) => a <= Number(b),
}
const TIME: Tests<number> = Object.fromEntries(
  Object.entries(NUMBER)
    .filter(([name]) => name !== '=')
    .map(([name, test]) => [name, (at: number, wanted) => test(at, Date.parse(textOf(wanted)))]),
)
const LIST: Tests<readonly string[]> = {
  'any of': (list, wanted) => listOf(wanted).some((one) => list.includes(one)),
  'all of': (list, wanted) => listOf(wanted).every((one) => list.includes(one)),
  'none of': (list, wanted) => !listOf(wanted).some((one) => list.includes(one)),
}
const MEMBER: Tests<unknown> = {
  ...Object.fromEntries(
    ['=', 'contains', 'does not contain', 'starts with', 'ends with'].map((name) => [
      name,
      (value: unknown, wanted) => value !== undefined && TEXT[name]!(shown(value), wanted),
    ]),
  ),
  'is set': (value) => value !== undefined,
  'is not set': (value) => value === undefined,
}
const shown = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const COLUMNS = {
  ...{ id: TEXT, name: TEXT, type: TEXT, version: NUMBER, createdAt: TIME, updatedAt: TIME },
  ...{ labels: LIST, tags: LIST, config: MEMBER },
} as const

/** @returns whether a version fulfils all conditions. @throws 400 that names what a condition could be */
export function promptTest(filters: readonly LangfuseFilter[]): (facts: PromptFacts) => boolean {
  const tests = filters.map(({ column, operator, value, key }) => {
    const tests = Object.hasOwn(COLUMNS, column)
      ? (COLUMNS[column as keyof typeof COLUMNS] as Tests<unknown>)
      : undefined
    if (tests === undefined)
      throw errors.badRequest(`Prompts have no "${column}" to filter by; ${choiceOf(Object.keys(COLUMNS))}.`)
    const test = Object.hasOwn(tests, operator) ? tests[operator] : undefined
    if (test === undefined)
      throw errors.badRequest(`"${column}" has no operator "${operator}"; ${choiceOf(Object.keys(tests))}.`)
    if (column !== 'config') return (facts: PromptFacts) => test(facts[column as keyof PromptFacts], value)
    if (!key) throw errors.badRequest('A filter of config needs a key.')
    return ({ config }: PromptFacts) => test(memberOf(config, key), value)
  })
  return (facts) => tests.every((test) => test(facts))
}

function memberOf(config: unknown, key: string): unknown {
  return typeof config === 'object' && config !== null && Object.hasOwn(config, key)
    ? (config as Record<string, unknown>)[key]
    : undefined
}
