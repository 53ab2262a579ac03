/** Parses JSON text from other processes, which may run another release. */
import type { z } from 'zod'

/** Parses `text` with `schema`; undefined if it is not JSON or does not match. */
export function parsedAs<S extends z.ZodType>(schema: S, text: string | Uint8Array): z.output<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString())).data
  } catch {
    return undefined
  }
}
