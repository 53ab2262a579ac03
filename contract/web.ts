/** The scripts and styles of the pages. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'

/** Every file that a page loads, in the room web/. */
export const WEB_FILES = [
  'page.css',
  'docs.mjs',
  'landing.mjs',
  'traces.css',
  'traces.mjs',
  'training.css',
  'training.mjs',
  'chart.mjs',
] as const

export const webFile = route({
  method: 'GET',
  tag: 'Service',
  access: 'public',
  project: 'none',
  unlimited: 'a file, the same for everybody',
  id: 'web_file',
  path: '/web/{name}',
  summary: 'Load a script or style of a page',
  params: z.object({ name: z.enum(WEB_FILES) }),
  answer: z.string(),
  produces: 'text/javascript',
  producesToo: ['text/css'],
})
