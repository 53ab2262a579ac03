/**
 * Checks values against JSON schemas that users wrote. Such a schema can ask for endless work (a pattern that backtracks,
 * alternatives of alternatives), so making and running its check is cut off after a moment. Knows no feedback.
 */
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { inTime } from '../../common/time/in-time.js'
import { Recent } from '../recent.js'

export type Verdict = 'fits' | 'misfit' | 'no schema' | 'too much work'

/** Longest schema, in characters. */
const SCHEMA_LIMIT = 64 << 10
/** Checks remembered, by the length of their schemas. */
const REMEMBERED = 16 << 20

type Check = ValidateFunction | 'no schema' | 'too much work'

export class ValueSchemas {
  private readonly checks = new Recent<{ check: Check; size: number }>(REMEMBERED, ({ size }) => size)
  /** Knows the schema of schemas. Made late: that takes a while to compile. */
  private grammar: Ajv2020 | undefined

  /** @param schema JSON text of an object */
  verdict(schema: string, value: unknown): Verdict {
    const check = this.checkOf(schema)
    if (typeof check === 'string') return check
    const fits = inTime(() => check(value) as boolean)
    return fits === undefined ? 'too much work' : fits ? 'fits' : 'misfit'
  }

  private checkOf(schema: string): Check {
    if (schema.length > SCHEMA_LIMIT) return 'too much work'
    const remembered = this.checks.get(schema)
    if (remembered) return remembered.check
    const check = this.compile(schema)
    this.checks.set(schema, { check, size: schema.length + 1024 })
    return check
  }

  private compile(text: string): Check {
    // Which draft it names does not matter: what they share is checked, and what one does not know is passed over.
    const { $schema: _, ...schema } = JSON.parse(text) as AnySchemaObject
    this.grammar ??= new Ajv2020({ ...OPTIONS })
    const { grammar } = this
    grammar.validateSchema({})
    try {
      if (inTime(() => grammar.validateSchema(schema)) !== true) return 'no schema'
      // One of its own: schemas may give themselves, and parts of themselves, the names of others.
      const own = new Ajv2020({ ...OPTIONS, meta: false, validateSchema: false })
      return inTime(() => own.compile(schema)) ?? 'too much work'
    } catch {
      return 'no schema'
    }
  }
}

const OPTIONS = { strict: false, validateFormats: false, logger: false } as const
