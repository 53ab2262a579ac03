/** Schema parts shared by many routes. */
import { z } from 'zod'
import { isProjectName } from '../platform/ids/project.js'

/** An object that becomes the component `id` in the OpenAPI document. @param about its description and the like */
export function component<Shape extends z.ZodRawShape>(id: string, shape: Shape, about: object = {}) {
  return z.object(shape).meta({ id, ...about })
}

/** The same, allowing additional fields. */
export function openComponent<Shape extends z.ZodRawShape>(id: string, shape: Shape, about: object = {}) {
  return z.looseObject(shape).meta({ id, ...about })
}

/** Routes that read or write the project named in their body. */
export const readInBody = { method: 'POST', access: 'read', project: 'body' } as const
export const writeInBody = { method: 'POST', access: 'write', project: 'body' } as const
/** Routes whose handler decodes the body, and checks the rights on the projects in it. */
export const rawWrite = { method: 'POST', access: 'write', project: 'handler', raw: true } as const

/** An optional field, which may also be null. */
export const maybe = <Type extends z.ZodType>(type: Type) => type.nullish()

/** An optional field, which may also be null; absent becomes null. */
export const orNull = <Type extends z.ZodType>(type: Type) => type.nullable().default(null)

/** `entity/project`. */
export const projectId = z
  .string()
  .refine(isProjectName, 'Should be a project, written entity/project')
  .meta({ description: 'entity/project', examples: ['acme/assistant'] })

/** A time in an answer. */
export const timeOut = z.string().meta({ format: 'date-time' })

/** An optional flag; null and absent mean its default. */
export const flag = (fallback: boolean) => z.boolean().nullable().default(fallback)

/** User ids in requests are ignored: the key determines the user. */
export const userIdIn = orNull(z.string()).meta({
  description: 'ignored; the credentials decide',
})

/** A field under both of its names, always with the same value. */
export const userIdOut = {
  platform_user_id: z.string().nullable(),
  wb_user_id: z.string().nullable().meta({ description: 'the same as platform_user_id' }),
}

/** A name, an id or a ref. Some have stricter rules; none is longer, since they are handled on the main thread. */
export const shortText = z.string().max(10_000)

/** A description, or source code. */
export const longText = z.string().max(1_000_000)

/** A content digest, made by this service or by a client. */
export const digest = z.string().min(1).max(256)

/** Alternatives; null and an empty list mean any. */
export const names = orNull(z.array(shortText).max(1000))

/** The requested part of a list; a negative limit means none. */
export const page = {
  limit: orNull(z.int()),
  offset: orNull(z.int()),
}

/** The project in paths under `/v2`. */
export const inProjectPath = { entity: z.string().min(1), project: z.string().min(1) }

/** An integer in a query string; null if absent. */
const numberInQuery = orNull(z.coerce.number().int())

/** The requested part of a list, in a query string; no limit, or a negative one: all. */
export const listPage = { limit: numberInQuery, offset: numberInQuery }

const list = { type: 'array', items: { type: 'string' } } as const

/** A parameter that may be repeated; see `listOf`. */
export const many = z.preprocess(listed, z.array(shortText).max(1000)).optional().meta(list)

/** The same, with at least one value. */
export const someIds = z.preprocess(listed, z.array(shortText.min(1)).min(1)).meta({ ...list, minItems: 1 })

/** A query string yields one value as a string, several as a list. */
function listed(value: unknown): unknown {
  return typeof value === 'string' ? [value] : value
}
