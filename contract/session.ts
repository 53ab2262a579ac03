/** Declarations of the routes that sign people in to the pages. Programs send a key with each request instead. */
import { z } from 'zod'
import { RIGHTS } from '../platform/http/principal.js'
import { route } from '../platform/http/route.js'
import { component, timeOut } from './shared.js'

const path = '/session'
const tag = 'Service'

export const SessionRes = component('SessionRes', {
  username: z.string(),
  grants: z.array(
    z.object({
      scope: z.string(),
      right: z.enum(RIGHTS),
      area: z.string().optional().describe('the tag of the routes that it is for; absent: all'),
    }),
  ),
  user_id: z.string().nullable().describe('null: the session stands for a key'),
  csrf_token: z.string().describe('goes into the header X-CSRF-Token of every request but GET'),
})

export const openSession = route({
  id: 'session_open',
  audit: { category: 'access', once: true },
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

const signedOut = {
  ok: z.literal(true),
  continue_at: z
    .string()
    .optional()
    .describe('where a browser goes to sign out of the provider of its session, too'),
}

export const closeSession = route({
  id: 'session_close',
  audit: { category: 'access' },
  method: 'DELETE',
  path,
  tag,
  summary: 'Sign out',
  access: 'read',
  project: 'none',
  answer: component('SignedOutRes', signedOut),
})

const asked = { path: '/sessions', tag, access: 'read', project: 'none' } as const

export const listSessions = route({
  ...asked,
  id: 'sessions_list',
  method: 'GET',
  summary: "List where the pages are signed in as this session's user, or with its key, the newest first",
  answer: component('SessionsRes', {
    sessions: z.array(
      z.object({
        id: z.string(),
        browser: z.string().describe('as it named itself; empty: not known'),
        address: z.string().describe('where it was opened from; empty: not known'),
        created_at: timeOut,
        expires_at: timeOut,
        seen_at: timeOut.nullable().describe('when it was last used, to some minutes; null: not known'),
        is_current: z.boolean().describe('this request is made with it'),
      }),
    ),
  }),
})

export const closeSessions = route({
  ...asked,
  id: 'sessions_close',
  audit: { category: 'access' },
  method: 'DELETE',
  summary: "Sign out everywhere: end all sessions of this session's user, or of its key",
  answer: component('SignedOutEverywhereRes', signedOut),
})

export const closeOneSession = route({
  id: 'session_close_one',
  audit: { category: 'access', names: ['params.session_id'] },
  method: 'DELETE',
  path: '/sessions/{session_id}',
  tag,
  summary: "End one of the sessions of this session's user, or of its key",
  access: 'read',
  project: 'none',
  params: z.object({ session_id: z.string().max(64) }),
  answer: z.object({ ok: z.literal(true) }),
})
