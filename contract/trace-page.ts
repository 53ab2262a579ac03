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
  summary: 'Show the calls of a project, as a page',
  params: z.object(project),
})

export const callPage = route({
  ...page,
  id: 'call_page',
  path: '/{entity}/{project}/r/call/{call_id}',
  summary: 'Show a call and its trace, as a page',
  params: z.object({ ...project, call_id: name }),
})

export const objectPage = route({
  ...page,
  id: 'object_page',
  path: '/{entity}/{project}/weave/objects/{object_id}/versions/{digest}',
  summary: 'Show an object, as a page',
  params: z.object({ ...project, object_id: name, digest: name }),
})
