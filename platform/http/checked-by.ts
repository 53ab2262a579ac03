/** Schemas that describe a value, and leave its check to a function: zod is slow for recursive alternatives. */
import type { z } from 'zod'

/** What makes a value invalid, and where. */
export interface Problem {
  message: string
  path: (string | number)[]
  /** the value is absent */
  isMissing?: true
}

/**
 * Makes `schema` accept what `problem` finds nothing wrong with, as it is; the schema still describes it in the OpenAPI
 * document. A copy of it (`meta`, `refine`) checks by itself again.
 * @returns `schema`
 */
export function checkedBy<Schema extends z.ZodType>(
  schema: Schema,
  problem: (value: unknown) => Problem | undefined,
): Schema {
  schema._zod.run = (payload) => {
    const found = problem(payload.value)
    if (!found) return payload
    const { message, path, isMissing } = found
    const at = { path, inst: schema, continue: false }
    payload.issues.push(
      isMissing
        ? { ...at, code: 'invalid_type', expected: 'unknown', input: undefined, message }
        : { ...at, code: 'custom', input: payload.value, message },
    )
    return payload
  }
  return schema
}
