/**
 * Makes zod stop at the first violation in a list or a record. Even in its early-abort mode zod goes on past items that
 * a check refused, and a long list of wrong items takes seconds.
 */
import type { z } from 'zod'

/** zod's own option, which its type declarations omit. */
export const FIRST_ONLY = { reportInput: true, abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>

type Schema = z.core.$ZodType
type Run = Schema['_zod']['run']
type Context = Parameters<Run>[1] & { abortEarly?: boolean }
/** Where schemas contain other schemas. */
interface Def {
  type: string
  getter?: () => Schema
  shape?: Record<string, Schema>
  options?: Schema[]
  items?: Schema[]
  [part: string]: unknown
}

const ready = new WeakSet<Schema>()
const items = new WeakSet<Schema>()

/** Makes `schema` stop early when parsing with {@link FIRST_ONLY}. Patches it once, before it validates anything. */
export function stopsEarly(schema: Schema): void {
  if (ready.has(schema)) return
  ready.add(schema)
  const def = schema._zod.def as unknown as Def
  if (def.type === 'array') endAt(def.element as Schema)
  if (def.type === 'record') wrapRecord(schema, def.keyType as Schema, def.valueType as Schema)
  const inside = [
    def.getter?.(),
    ...Object.values(def.shape ?? {}),
    ...(def.options ?? []),
    ...(def.items ?? []),
  ]
  for (const part of PARTS) inside.push(def[part] as Schema | undefined)
  for (const part of inside) if (part) stopsEarly(part)
}
const PARTS = [
  'element',
  'keyType',
  'valueType',
  'innerType',
  'in',
  'out',
  'left',
  'right',
  'catchall',
  'rest',
]

/** A list continues after an item that a check refused, unless the issue says not to continue. */
function endAt(item: Schema): void {
  if (items.has(item)) return
  items.add(item)
  const run = item._zod.run
  item._zod.run = (payload, context: Context) => {
    const result = run(payload, context)
    if (context.abortEarly && !(result instanceof Promise)) for (const issue of result.issues) ends(issue)
    return result
  }
}

function ends(issue: { continue?: boolean | undefined }): void {
  issue.continue = false
}

/** A record can't stop early: if an entry doesn't fit, validate only that entry. */
function wrapRecord(record: Schema, key: Schema, value: Schema): void {
  const run = record._zod.run
  const fits = (part: Schema, input: unknown, context: Context) => {
    const result = part._zod.run({ value: input, issues: [] }, context)
    return result instanceof Promise || result.issues.length === 0
  }
  record._zod.run = (payload, context: Context) => {
    const entries = payload.value
    if (!context.abortEarly || typeof entries !== 'object' || entries === null) return run(payload, context)
    for (const [name, entry] of Object.entries(entries)) {
      if (fits(key, name, context) && fits(value, entry, context)) continue
      const alone = run({ ...payload, value: { [name]: entry } }, context)
      if (alone instanceof Promise || alone.issues.length > 0) return alone
    }
    return run(payload, context)
  }
}
