import * as declared from '../../../contract/langfuse-comments.js'
import { pageMeta } from '../../../contract/langfuse-shared.js'
import { refText } from '../../../contract/ref.js'
import { NOTE } from '../../../domain/feedback/kinds.js'
import { agentRef } from '../../../domain/feedback/subject.js'
import { bind, sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Bound } from '../../../platform/http/request.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { FeedbackStore } from '../../feedback/store.js'
import type { Parts } from '../../parts.js'
import { LangfuseCalls } from '../reads/calls.js'
import { serveLangfuse } from '../serve.js'
import { commentById, commentOf, commentsPage, type NoteRow, promptRef } from './list.js'

/** The type of notes as weave's SDKs look for them. */
const WEAVE_NOTE = 'wandb.note.1'

/** What a note is about, as feedback has it. */
interface Subject {
  call_id: string
  weave_ref: string
}

export function commentRoutes(parts: Parts): Bound[] {
  const { store, limits, register, finder } = parts
  const feedback = new FeedbackStore(store)
  const calls = new LangfuseCalls(parts)

  /** undefined: it is not there */
  const subjectOf = async (
    project: string,
    type: declared.CommentedType,
    id: string,
    signal: AbortSignal,
  ): Promise<Subject | undefined> => {
    if (type === 'PROMPT') {
      const weave_ref = promptRef(project, id)
      const [name = '', digest = ''] = id.split(/:(?=[^:]*$)/)
      const version = weave_ref && (await finder.find(projectIdOf(project), name, digest))
      return version && version.deleted_at === 0 ? { call_id: '', weave_ref: weave_ref! } : undefined
    }
    const column = { TRACE: sql`trace_id`, OBSERVATION: sql`id`, SESSION: sql`thread_id` }[type]
    const conditions = [
      sql`${column} = ${bind.string(id)}`,
      ...(type === 'TRACE' ? [sql`parent_id = ''`] : []),
    ]
    const [call] = await calls.page(
      project,
      { conditions, limit: 1, direction: 'asc', columns: ['id'] },
      signal,
    )
    if (call === undefined) return undefined
    if (type === 'SESSION') return { call_id: '', weave_ref: agentRef(project, 'conversation', id) }
    return { call_id: call.id, weave_ref: refText({ project, kind: 'call', id: call.id, steps: [] }) }
  }

  return [
    serveLangfuse(declared.langfuseCommentCreate, async ({ project, principal, body, signal }) => {
      const { projectId, objectType, objectId, content, authorUserId } = body
      if (projectId !== project) throw errors.badRequest(`projectId should be the keys' project, ${project}.`)
      const subject = await subjectOf(project, objectType, objectId, signal)
      if (subject === undefined)
        throw errors.notFound(`The ${objectType.toLowerCase()} ${objectId.slice(0, 200)}`)
      await register.note([project])
      const payload = { note: content, ...(objectType === 'TRACE' && { traceId: objectId }) }
      const entry = {
        ...{ project, id: undefined, ...subject, feedback_type: WEAVE_NOTE, canonical_type: NOTE },
        ...{ payload: JSON.stringify(payload), creator: authorUserId ?? '' },
        ...{ annotation_ref: '', runnable_ref: '', call_ref: '', trigger_ref: '', queue_id: '', scorer: '' },
      }
      const [stored] = await feedback.write({ entries: [entry] }, principal.userId, undefined)
      return { id: stored!.id }
    }),
    serveLangfuse(declared.langfuseComments, async ({ project, query, signal }) => {
      if (query.objectId !== undefined && query.objectType === undefined)
        throw errors.badRequest('objectId needs objectType, too.')
      const { rows, count } = commentsPage(project, query)
      const [found, total] = await Promise.all([
        store.rows<NoteRow>(rows, { limits, signal }),
        store.row<{ count: number }>(count, { limits, signal }),
      ])
      return {
        data: found.flatMap((row) => commentOf(project, row) ?? []),
        meta: pageMeta(query, total?.count ?? 0),
      }
    }),
    serveLangfuse(declared.langfuseComment, async ({ project, params, signal }) => {
      const row = await store.row<NoteRow>(commentById(project, params.comment_id), { limits, signal })
      const comment = row && commentOf(project, row)
      if (!comment) throw errors.notFound(`Comment ${params.comment_id.slice(0, 200)}`)
      return comment
    }),
  ]
}
