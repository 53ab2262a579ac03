/** What the declarations of the routes of Langfuse's SDKs share: whose they are, their pages and their errors. */
import { z } from 'zod'
import type { HeddleError } from '../platform/errors/error.js'
import { component, shortText } from './shared.js'

/** The user name of Basic authentication names the project; `serveLangfuse` checks the rights on it. */
const common = { tag: 'Langfuse', project: 'handler', errorBody } as const
export const langfuseRead = { ...common, method: 'GET', access: 'read' } as const
export const langfuseWrite = {
  ...common,
  method: 'POST',
  access: 'write',
  // Enough for thousands of scores. A thread parses them; the main thread copies its result, which takes time for each.
  maxValues: 2 ** 15,
} as const

/** As Langfuse says what is wrong, beside what our other routes say. */
function errorBody(error: HeddleError): Record<string, unknown> {
  return { message: error.reason, error: error.code, ...error.body() }
}

/** A name in an address or a query: the SDKs encode it once more than the address does. */
export const encodedName = shortText.min(1).transform((name) => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
})

/** Langfuse's largest page. */
const MOST = 100

/** The requested page of a list that is numbered. */
export const numberedPage = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(MOST).default(50),
}
export type NumberedPage = z.output<z.ZodObject<typeof numberedPage>>

export const LangfusePage = component('LangfusePage', {
  page: z.int(),
  limit: z.int(),
  totalItems: z.int(),
  totalPages: z.int(),
})

/** What a numbered page says of its list. */
export function pageMeta({ page, limit }: NumberedPage, totalItems: number): z.output<typeof LangfusePage> {
  return { page, limit, totalItems, totalPages: Math.ceil(totalItems / limit) }
}
