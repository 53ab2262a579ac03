/** Declarations of the routes that sign people in to the pages. Programs send a key with each request instead. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component } from './shared.js'

const path = '/session'
const tag = 'Service'

const SessionRes = component('SessionRes', {
  username: z.string(),
  grants: z.array(z.object({ scope: z.string(), right: z.enum(['read', 'write', 'admin']) })),
  csrf_token: z.string().describe('goes into the header X-CSRF-Token of every request but GET'),
})

export const openSession = route({
  id: 'session_open',
  method: 'POST',
  path,
  tag,
  summary: 'Sign in to the pages with a key, or with the one-time code of the start screen',
  access: 'public',
  project: 'none',
  unlimited: 'look-ups of unknown keys have their own limit',
  takesKey: true,
  body: component('SessionReq', {
    key: z.string().max(512).optional(),
    code: z.string().max(512).optional(),
  }),
  answer: SessionRes,
})

export const readSession = route({
  id: 'session_read',
  method: 'GET',
  path,
  tag,
  summary: 'Read who is signed in',
  access: 'read',
  project: 'none',
  answer: SessionRes,
})

export const closeSession = route({
  id: 'session_close',
  method: 'DELETE',
  path,
  tag,
  summary: 'Sign out',
  access: 'read',
  project: 'none',
  answer: z.object({ ok: z.literal(true) }),
})
