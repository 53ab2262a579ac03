/**
 * Checks values against JSON schemas that users wrote, and says what does not fit. Patterns take linear time, and a
 * check that takes too long is cut off. Knows nothing of scores.
 */
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import { inTime } from '../../time/in-time.js'
import { pattern } from './pattern.js'

const SCHEMA_LIMIT = 64 << 10
/** Of what does not fit, so much is told. */
const TOLD = 500

/** Ajv tells patterns apart by their texts. */
const linear = Object.assign((text: string) => ({ ...pattern(text), toString: () => text }), {
  code: 'linear patterns',
})
const OPTIONS = { strict: false, validateFormats: false, logger: false, code: { regExp: linear } } as const

/** Knows the schema of schemas. Made late: that takes a while to compile. */
let grammar: Ajv2020 | undefined

/** What is wrong with a value; undefined: it fits. */
export type SchemaCheck = (value: unknown) => string | undefined

/** @param text JSON text of a schema. @throws Error that says why it is none */
export function schemaCheck(text: string): SchemaCheck {
  if (text.length > SCHEMA_LIMIT) throw new Error(`a schema has at most ${SCHEMA_LIMIT} characters`)
  const { $schema: _, ...schema } = JSON.parse(text) as AnySchemaObject
  const ajv = rules()
  if (inTime(() => ajv.validateSchema(schema)) !== true)
    throw new Error(ajv.errorsText(ajv.errors, { dataVar: 'schema' }).slice(0, TOLD))
  const own = new Ajv2020({ ...OPTIONS, meta: false, validateSchema: false })
  const check = inTime(() => own.compile(schema))
  if (!check) throw new Error('the schema takes too long to read')
  return (value) => {
    const fits = inTime(() => check(value) as boolean)
    if (fits === true) return undefined
    if (fits === undefined) return 'the check took too long'
    return own.errorsText(check.errors, { dataVar: 'value' }).slice(0, TOLD)
  }
}

function rules(): Ajv2020 {
  if (!grammar) {
    grammar = new Ajv2020(OPTIONS)
    grammar.validateSchema({})
  }
  return grammar
}
