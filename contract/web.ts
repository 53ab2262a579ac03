/** The application's pages and their files. Every page is the same file; the browser renders it by address. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'

const file = {
  method: 'GET',
  tag: 'Service',
  access: 'public',
  project: 'none',
  unlimited: 'a static file',
  answer: z.string(),
} as const
const page = { ...file, produces: 'text/html' } as const
const name = z.string().min(1)
const project = { entity: name, project: name }
const root = '/{entity}/{project}/weave'

export const webFile = route({
  ...file,
  id: 'web_file',
  path: '/web/{name}',
  summary: 'Load a script or style of a page',
  params: z.object({ name: z.string().min(1).max(200) }),
  produces: 'text/javascript',
  producesToo: ['text/css', 'image/svg+xml'],
})

export const homePage = route({
  ...page,
  id: 'landing',
  path: '/',
  aliases: ['/signin', '/invitation', '/settings', '/training', '/mentions'],
  summary: 'Show the projects, as a page',
})

export const projectPage = route({
  ...page,
  id: 'trace_page',
  path: root,
  // SDKs link to ops, objects, leaderboards and agents' conversations, and leave slashes in ids as they are.
  aliases: ['/{entity}/{project}', `${root}/*`],
  summary: 'Show a project, as a page',
  params: z.object(project),
})

export const sharePage = route({
  ...page,
  id: 'share_page',
  path: '/share/{token}',
  summary: 'Show what a link leads to, as a page',
  params: z.object({ token: name }),
})

export const callPage = route({
  ...page,
  id: 'call_page',
  path: '/{entity}/{project}/r/call/{call_id}',
  aliases: ['/{entity}/{project}/r/call/{call_id}/*'],
  summary: 'Show a call and its trace, as a page',
  params: z.object({ ...project, call_id: name }),
})
