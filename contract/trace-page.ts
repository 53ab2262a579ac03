/** The page that shows a project's calls, at the addresses that SDKs print. What it shows it asks by the other routes. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'

const page = {
  method: 'GET',
  tag: 'Calls',
  access: 'public',
  project: 'none',
  unlimited: 'a file, the same for everybody',
  answer: z.string(),
  produces: 'text/html',
} as const
const name = z.string().min(1)
const project = { entity: name, project: name }

export const tracePage = route({
  ...page,
  id: 'trace_page',
  path: '/{entity}/{project}/weave',
  summary: 'Look at the calls of a project',
  params: z.object(project),
})

export const callPage = route({
  ...page,
  id: 'call_page',
  path: '/{entity}/{project}/r/call/{call_id}',
  summary: 'Look at a call and its trace',
  params: z.object({ ...project, call_id: name }),
})

export const objectPage = route({
  ...page,
  id: 'object_page',
  path: '/{entity}/{project}/weave/objects/{object_id}/versions/{digest}',
  summary: 'Look at an object',
  params: z.object({ ...project, object_id: name, digest: name }),
})
