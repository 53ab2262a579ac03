/**
 * Checks values against JSON schemas written by users. Patterns take linear time; other work that could be endless
 * (nested alternatives) is cut off after a moment.
 */
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import { inTime } from '../time/in-time.js'
import { pattern } from './pattern.js'

const SCHEMA_LIMIT = 64 << 10
/** Characters of an error message that are reported. */
const LONGEST = 500

/** Ajv distinguishes patterns by their text. */
const linear = Object.assign((text: string) => ({ ...pattern(text), toString: () => text }), {
  code: 'linear patterns',
})
const OPTIONS = { strict: false, validateFormats: false, logger: false, code: { regExp: linear } } as const

/** Holds the meta-schema. Created lazily, since it takes a while to compile. */
let grammar: Ajv2020 | undefined

/** A schema that can't be used: it is invalid, or takes too long to compile. */
export class UnusableSchema extends Error {
  override readonly name = 'UnusableSchema'

  constructor(
    readonly kind: 'no schema' | 'too much work',
    message: string,
  ) {
    super(message)
  }
}

/** What is wrong with a value; `too much work`: unknown. */
export interface Misfit {
  kind: 'misfit' | 'too much work'
  why: string
}

/** Returns what is wrong with a value; undefined if it fits. */
export type SchemaCheck = (value: unknown) => Misfit | undefined

/** @param text JSON text of an object. @throws UnusableSchema */
export function schemaCheck(text: string): SchemaCheck {
  if (text.length > SCHEMA_LIMIT)
    throw new UnusableSchema('too much work', `a schema has at most ${SCHEMA_LIMIT} characters`)
  const check = compiled(text)
  if (!check) throw new UnusableSchema('too much work', 'the schema takes too long to read')
  return (value) => {
    const fits = inTime(() => check(value) as boolean)
    if (fits === true) return undefined
    if (fits === undefined) return { kind: 'too much work', why: 'the check took too long' }
    return { kind: 'misfit', why: rules().errorsText(check.errors, { dataVar: 'value' }).slice(0, LONGEST) }
  }
}

/** Undefined if the schema takes too long. */
function compiled(text: string) {
  try {
    // Ignore the draft that it names: what drafts share is checked, unknown keywords are skipped.
    const { $schema: _, ...schema } = JSON.parse(text) as AnySchemaObject
    const ajv = rules()
    const valid = inTime(() => ajv.validateSchema(schema))
    if (valid === undefined) return undefined
    if (valid !== true) throw new Error(ajv.errorsText(ajv.errors, { dataVar: 'schema' }).slice(0, LONGEST))
    // An instance of its own, also for another try: schemas may give themselves, and parts of themselves, the same names.
    return inTime(() => new Ajv2020({ ...OPTIONS, meta: false, validateSchema: false }).compile(schema))
  } catch (error) {
    throw new UnusableSchema('no schema', (error as Error).message)
  }
}

function rules(): Ajv2020 {
  if (!grammar) {
    grammar = new Ajv2020(OPTIONS)
    grammar.validateSchema({})
  }
  return grammar
}
