/**
 * Declarations of the routes by which people sign in without a key: by a provider of OpenID Connect, or by a link that is
 * sent by mail. Browsers go to the first two by themselves.
 */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { SessionRes } from './session.js'
import { component } from './shared.js'

const tag = 'Service'
const next = z.string().max(2000).optional().describe('a path of this service to go to afterwards')
const provider = z.string().max(64)

/** Where browsers go after an error: the sign-in page shows the sentence of its code. */
const failedSignIn = (code: string) => `/signin?error=${encodeURIComponent(code)}`

export const readWays = route({
  id: 'sign_in_ways',
  method: 'GET',
  path: '/sign-in/ways',
  tag,
  summary: 'List the ways to sign in to the pages',
  access: 'public',
  project: 'none',
  unlimited: 'answered from memory',
  query: z.object({ error: z.string().max(100).optional().describe('a code, to be told in a sentence') }),
  answer: component('SignInWaysRes', {
    providers: z.array(z.object({ name: z.string(), title: z.string() })),
    email: z.boolean().describe('links are sent by mail'),
    error: z.string().optional().describe('what the code means'),
  }),
})

export const startSignIn = route({
  id: 'sign_in_start',
  method: 'GET',
  path: '/sign-in/start/{provider}',
  tag,
  summary: 'Go to a provider to sign in, as a browser',
  access: 'public',
  project: 'none',
  unlimited: 'answered from memory',
  params: z.object({ provider }),
  query: z.object({ next }),
  answer: z.string(),
  produces: 'text/html',
  errorPage: failedSignIn,
})

const text = z.string().max(4000).optional()

export const finishSignIn = route({
  id: 'sign_in_finish',
  audit: { category: 'access', once: true, names: ['params.provider'] },
  method: 'GET',
  path: '/sign-in/callback/{provider}',
  tag,
  summary: "Take a provider's answer, as a browser that it sends back",
  access: 'public',
  project: 'none',
  unlimited: 'counted by where it comes from',
  takesKey: true,
  params: z.object({ provider }),
  query: z.object({ code: text, state: text, iss: text, error: text, error_description: text }),
  answer: z.string(),
  produces: 'text/html',
  errorPage: failedSignIn,
})

export const sendLink = route({
  id: 'sign_in_email',
  method: 'POST',
  path: '/sign-in/email',
  tag,
  summary: 'Have a link to sign in sent by mail',
  access: 'public',
  project: 'none',
  unlimited: 'counted by where it comes from, and by the address',
  body: component('SignInEmailReq', { email: z.string().max(254), next }),
  answer: z.object({ ok: z.literal(true) }),
})

export const openLink = route({
  id: 'sign_in_link',
  audit: { category: 'access', once: true },
  method: 'POST',
  path: '/sign-in/link',
  tag,
  summary: 'Sign in with the link of a mail',
  access: 'public',
  project: 'none',
  unlimited: 'counted by where it comes from',
  takesKey: true,
  body: component('SignInLinkReq', { link: z.string().max(512) }),
  answer: component('SignInLinkRes', {
    ...SessionRes.shape,
    next: z.string().describe('where to go'),
  }),
})

export const endFromProvider = route({
  id: 'sign_in_logout',
  audit: { category: 'access', once: true, names: ['params.provider'] },
  method: 'POST',
  path: '/sign-in/logout/{provider}',
  tag,
  summary: 'End the sessions that a provider says have ended (back-channel logout)',
  access: 'public',
  project: 'none',
  unlimited: 'counted by where it comes from',
  params: z.object({ provider }),
  raw: true,
  maxBytes: 16_384,
  consumes: ['application/x-www-form-urlencoded'],
  body: component('SignInLogoutReq', { logout_token: z.string() }),
  answer: z.object({ ok: z.literal(true) }),
})
