import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, projectId } from './shared.js'

const tag = 'Service'
const read = { method: 'POST', tag, access: 'read', project: 'handler' } as const
const open = {
  method: 'GET',
  tag,
  access: 'public',
  project: 'none',
  unlimited: 'the same answer for every caller, read from the store at most once a second',
} as const

export const health = route({
  ...open,
  id: 'read_root',
  path: '/health',
  summary: 'Check the service with a real write and read of its store',
  answer: component('HealthRes', { status: z.literal('ok') }),
})

export const version = route({
  ...open,
  id: 'read_version',
  path: '/version',
  summary: 'Read the version of the service',
  answer: component('VersionRes', { version: z.string() }),
})

export const serverInfo = route({
  ...open,
  id: 'server_info',
  path: '/server_info',
  summary: 'Read which SDK versions work with this service',
  answer: component('ServerInfoRes', {
    min_required_weave_python_version: z.string(),
    trace_server_version: z.string().nullable(),
  }),
})

export const geolocate = route({
  id: 'get_caller_location',
  method: 'GET',
  path: '/geolocate',
  tag,
  summary: "Read the caller's address; the location is never looked up",
  access: 'public',
  project: 'none',
  unlimited: 'it answers from the request alone',
  query: z.object({
    ip: z
      .string()
      .refine((ip) => ip.length <= 64 && /^[\da-fA-F:.%\w]+$/.test(ip), 'Should be an IP address')
      .optional()
      .describe("default: the caller's"),
  }),
  answer: z.object({ ip: z.string(), allowed: z.boolean().nullable(), location: z.null() }),
})

export const projectsInfo = route({
  ...read,
  id: 'projects_info',
  path: '/service/projects_info',
  summary: 'Read the internal ids of projects, in the requested order',
  body: component('ProjectsInfoReq', { project_ids: z.array(projectId).max(1000) }),
  answer: z.array(
    component('ProjectsInfoRes', { external_project_id: z.string(), internal_project_id: z.string() }),
  ),
})

/** The three operations that the SDKs send at their start; nothing else is supported. */
export const graphql = route({
  ...read,
  id: 'account_query',
  path: '/graphql',
  summary: 'Answer the three account queries of the SDKs: `project`, `upsertModel` and `viewer`',
  maxValues: 2 ** 10,
  body: z.object({
    query: z.string().max(100_000),
    variables: z.record(z.string(), z.unknown()).nullish(),
    operationName: z.string().nullish(),
  }),
  answer: z.object({ data: z.record(z.string(), z.unknown()) }),
})

export const openapi = route({
  ...open,
  id: 'openapi',
  path: '/openapi.json',
  summary: 'Read the OpenAPI 3.1 description of this interface',
  answer: z.looseObject({ openapi: z.string() }),
})

export const docs = route({
  ...open,
  id: 'docs',
  path: '/docs',
  summary: 'Browse the API reference',
  answer: z.string(),
  produces: 'text/html',
})
