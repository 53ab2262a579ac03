/** JSON text from other processes, maybe of another release. Knows no schema. */
import type { z } from 'zod'

/** The value of `text` as `schema` has it; undefined: it is not JSON, or does not fit. */
export function parsedAs<S extends z.ZodType>(schema: S, text: string | Uint8Array): z.output<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString())).data
  } catch {
    return undefined
  }
}
