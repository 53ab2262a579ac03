/** The routes of mentions, bound. Everybody sees their own, of projects that they may read. */
import * as contract from '../../contract/mentions.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { microsOf } from '../../platform/time/micros.js'
import type { Parts } from '../parts.js'
import { mentionsOf, noteKey, notesOf, putSeenUntil, seenUntil } from './mention-table.js'
import { maySee, type Readers } from './readers.js'

/** Mentions that are shown. */
const MOST = 200
/** Names that are offered. */
const MOST_NAMES = 8

export function mentionRoutes(
  { store, register }: Pick<Parts, 'store' | 'register'>,
  readers: Readers,
): Bound[] {
  return [
    serve(contract.mentionsRead, async ({ principal }) => {
      const [found, seen] = await Promise.all([
        mentionsOf(store, principal.userId, MOST),
        seenUntil(store, principal.userId),
      ])
      const [notes] = await Promise.all([
        notesOf(store, found),
        register.learn(found.map(({ projectId }) => projectId)),
      ])
      const mentions = found.flatMap((one) => {
        const [note, project] = [notes.get(noteKey(one)), register.nameOf(one.projectId)]
        if (note === undefined || project === undefined || !maySee(principal, project)) return []
        return [
          {
            ...{ id: one.id, project_id: project, weave_ref: one.weaveRef, call_id: one.callId },
            ...{ by: one.by, note, at: isoOfMicros(one.at), is_new: one.at > seen },
          },
        ]
      })
      return { mentions, new: mentions.filter(({ is_new }) => is_new).length }
    }),
    serve(contract.mentionsSeen, async ({ body, principal }) => {
      const until = microsOf(body.until)
      if (Number.isNaN(until) || until < 0) throw errors.badRequest('until is no time in ISO 8601.')
      await putSeenUntil(store, principal.userId, Math.min(until, nowMicros()))
      return { ok: true }
    }),
    serve(contract.mentionable, async ({ body }) => {
      const found = await readers.of(body.project_id, { prefix: body.prefix.toLowerCase() })
      const people = found.slice(0, MOST_NAMES).map(({ username, name }) => ({ username, name }))
      return { people }
    }),
  ]
}
