import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { LangfusePage, langfuseRead, langfuseWrite, numberedPage } from './langfuse-shared.js'
import { component, maybe, projectId, shortText, timeOut } from './shared.js'

const ObjectType = z.enum(['TRACE', 'OBSERVATION', 'SESSION', 'PROMPT'])
export type CommentedType = z.output<typeof ObjectType>
/** The SDKs' examples have it in both cases. */
const objectType = z.string().max(20).toUpperCase().pipe(ObjectType)
const user = shortText.min(1).max(1000)

const Comment = component('LangfuseComment', {
  id: z.string(),
  projectId: z.string(),
  objectType: ObjectType,
  objectId: z.string(),
  content: z.string(),
  authorUserId: z.string().nullable(),
  createdAt: timeOut,
  updatedAt: timeOut,
})
export type LangfuseComment = z.output<typeof Comment>

export const langfuseCommentCreate = route({
  ...langfuseWrite,
  id: 'langfuse_comment_create',
  path: '/api/public/comments',
  summary: 'Comment on a trace, an observation, a session or a version of a prompt',
  body: component('LangfuseCommentCreate', {
    projectId: projectId.describe("the keys' project"),
    objectType,
    objectId: shortText.min(1).max(1000),
    content: z.string().min(1).max(5000),
    authorUserId: maybe(user).describe('default: who the key belongs to'),
  }),
  answer: component('LangfuseCommentCreated', { id: z.string() }),
})

const filters = z.object({
  ...numberedPage,
  objectType: objectType.optional(),
  objectId: shortText.optional().describe('needs objectType'),
  authorUserId: user.optional(),
})
export type CommentQuery = z.output<typeof filters>

export const langfuseComments = route({
  ...langfuseRead,
  id: 'langfuse_comments',
  path: '/api/public/comments',
  summary: 'List comments, and the notes of other clients, the newest first',
  query: filters,
  answer: component('LangfuseComments', { data: z.array(Comment), meta: LangfusePage }),
})

export const langfuseComment = route({
  ...langfuseRead,
  id: 'langfuse_comment',
  path: '/api/public/comments/{comment_id}',
  summary: 'Read a comment',
  params: z.object({ comment_id: shortText.min(1) }),
  answer: Comment,
})
