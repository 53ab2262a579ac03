/** Declarations of what Langfuse's SDKs ask when they start. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { langfuseRead } from './langfuse-shared.js'
import { component } from './shared.js'

export const langfuseHealth = route({
  ...langfuseRead,
  id: 'langfuse_health',
  path: '/api/public/health',
  summary: 'Check the service with a real write and read of its store, as Langfuse names it',
  access: 'public',
  project: 'none',
  unlimited: 'the same answer for every caller, read from the store at most once a second',
  answer: component('LangfuseHealth', { version: z.string(), status: z.literal('OK') }),
})

const Organization = component('LangfuseOrganization', { id: z.string(), name: z.string() })
const Project = component('LangfuseProject', {
  id: z.string().describe('the entity/project'),
  name: z.string(),
  organization: Organization.describe('the entity'),
  metadata: z.object({}),
})

export const langfuseProjects = route({
  ...langfuseRead,
  id: 'langfuse_projects',
  path: '/api/public/projects',
  summary: "Read the keys' project; `auth_check` of the SDKs asks for it",
  answer: component('LangfuseProjects', { data: z.array(Project) }),
})
