/** Declarations of the routes by which identity providers keep users and groups here: SCIM 2.0 (RFC 7643, RFC 7644). */
import { z } from 'zod'
import type { HeddleError } from '../platform/errors/error.js'
import { route } from '../platform/http/route.js'
import { openComponent } from './shared.js'

const SCIM_JSON = 'application/scim+json'
const NAMES: Readonly<Record<string, string>> = {
  NAME_TAKEN: 'uniqueness',
  SCIM_FILTER: 'invalidFilter',
  SCIM_PATH: 'invalidPath',
  SCIM_VALUE: 'invalidValue',
}

/** The body of a SCIM error. */
function errorBody(error: HeddleError): Record<string, unknown> {
  const { code, status, reason } = error
  const scimType = NAMES[code]
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail: reason,
    ...(scimType && { scimType }),
  }
}

const common = {
  tag: 'SCIM',
  access: 'admin',
  project: 'none',
  produces: SCIM_JSON,
  errorBody,
} as const
const name = z.string().min(1).max(100)
const of = z.object({ resource: name })
const one = z.object({ resource: name, id: z.string().min(1).max(300) })
const Resource = openComponent('ScimResource', { schemas: z.array(z.string()).optional() })
const written = { raw: true, consumes: [SCIM_JSON, 'application/json'], maxBytes: 2 ** 20 } as const
/** A search is a filter and a list of names. */
const searched = { ...written, maxBytes: 64 * 1024 } as const
const attributes = {
  attributes: z.string().max(2000).optional(),
  excludedAttributes: z.string().max(2000).optional(),
}
const path = '/scim/v2/{resource}'
const onePath = `${path}/{id}`
const access = { category: 'access', names: ['params.resource', 'params.id'] } as const

export const scimList = route({
  ...common,
  id: 'scim_list',
  method: 'GET',
  path,
  summary:
    'List Users or Groups; or read what this service can: ServiceProviderConfig, ResourceTypes, Schemas',
  params: of,
  query: z.object({
    filter: z.string().max(2000).optional(),
    startIndex: z.coerce.number().int().default(1),
    count: z.coerce.number().int().default(100),
    ...attributes,
  }),
  answer: Resource,
})

export const SearchReq = openComponent('ScimSearch', {
  schemas: z.array(z.string()).optional(),
  filter: z.string().max(2000).optional(),
  startIndex: z.int().default(1),
  count: z.int().default(100),
  attributes: z.array(z.string()).max(100).optional(),
  excludedAttributes: z.array(z.string()).max(100).optional(),
})

export const scimSearch = route({
  ...common,
  id: 'scim_search',
  method: 'POST',
  path: '/scim/v2/.search',
  summary: 'Search users and groups together',
  ...searched,
  body: SearchReq,
  answer: Resource,
})

export const scimSearchIn = route({
  ...common,
  id: 'scim_search_in',
  method: 'POST',
  path: `${path}/.search`,
  summary: 'Search users, or groups',
  params: of,
  ...searched,
  body: SearchReq,
  answer: Resource,
})

export const scimRead = route({
  ...common,
  id: 'scim_read',
  method: 'GET',
  path: onePath,
  summary: 'Read a user, a group, a resource type or a schema',
  params: one,
  query: z.object(attributes),
  headers: z.object({ 'if-none-match': z.string().optional() }),
  answer: Resource,
})

export const scimCreate = route({
  ...common,
  ...written,
  id: 'scim_create',
  audit: { category: 'access', names: ['params.resource'] },
  method: 'POST',
  path,
  status: 201,
  summary: 'Make a user, or a group, which is a team',
  params: of,
  body: Resource,
  answer: Resource,
})

export const scimReplace = route({
  ...common,
  ...written,
  id: 'scim_replace',
  audit: access,
  method: 'PUT',
  path: onePath,
  summary: 'Replace what is known of a user or a group',
  params: one,
  headers: z.object({ 'if-match': z.string().optional() }),
  body: Resource,
  answer: Resource,
})

export const scimPatch = route({
  ...common,
  ...written,
  id: 'scim_patch',
  audit: access,
  method: 'PATCH',
  path: onePath,
  summary: 'Change parts of a user or a group',
  params: one,
  headers: z.object({ 'if-match': z.string().optional() }),
  body: openComponent('ScimPatch', {
    schemas: z.array(z.string()).optional(),
    Operations: z.array(z.looseObject({ op: z.string() })),
  }),
  answer: Resource,
})

export const scimDelete = route({
  ...common,
  id: 'scim_delete',
  audit: access,
  method: 'DELETE',
  path: onePath,
  status: 204,
  summary: 'Delete a user or a group',
  params: one,
  headers: z.object({ 'if-match': z.string().optional() }),
  answer: z.object({}),
})
