/** Declarations of mentions: who was named in a note, `@name`, and who may be. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, projectId, readInBody, timeOut } from './shared.js'

const tag = 'Mentions'
const own = { tag, access: 'read', project: 'none' } as const

const Mention = component('Mention', {
  id: z.string(),
  project_id: z.string(),
  weave_ref: z.string().describe('what the note is about'),
  call_id: z.string().describe('empty: it is not about a call'),
  by: z.string().describe('name of who wrote it'),
  note: z.string(),
  at: timeOut,
  is_new: z.boolean().describe('it came after the last look'),
})

export const mentionsRead = route({
  ...own,
  id: 'mentions_read',
  method: 'GET',
  path: '/mentions/own',
  summary: 'List the newest notes that mention you',
  answer: component('MentionsRes', {
    mentions: z.array(Mention),
    new: z.int().describe('how many of them came after the last look'),
  }),
})

export const mentionsSeen = route({
  ...own,
  id: 'mentions_seen',
  method: 'POST',
  path: '/mentions/seen',
  summary: 'Say that you looked at your mentions until a time',
  body: component('MentionsSeenReq', { until: timeOut.describe('`at` of the newest one') }),
  answer: component('MentionsSeenRes', { ok: z.literal(true) }),
})

export const mentionable = route({
  ...readInBody,
  id: 'mentionable',
  path: '/mentions/people',
  tag,
  summary: 'Find people who may read a project, to mention them in a note',
  body: component('MentionableReq', {
    project_id: projectId,
    prefix: z.string().max(200).default('').describe('what their name begins with'),
  }),
  answer: component('MentionableRes', {
    people: z.array(component('Mentionable', { username: z.string(), name: z.string() })),
  }),
})
