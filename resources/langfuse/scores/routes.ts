/** The routes for scores of Langfuse's SDKs, bound. */
import * as declared from '../../../contract/langfuse-scores.js'
import { pageMeta } from '../../../contract/langfuse-shared.js'
import { READ_SETTINGS } from '../../../domain/calls/read/settings.js'
import { checkedScore, type LangfuseScore, scoreFeedbackId } from '../../../domain/feedback/langfuse-score.js'
import type { LangfuseScores } from '../../../domain/feedback/langfuse-scores.js'
import { errors } from '../../../platform/errors/catalog.js'
import { type Bound, Reply } from '../../../platform/http/request.js'
import { uuid7 } from '../../../platform/ids/uuid7.js'
import { FeedbackStore } from '../../feedback/store.js'
import type { Parts } from '../../parts.js'
import { cursorText, readCursor } from '../cursor.js'
import { serveLangfuse } from '../serve.js'
import { GROUPS, payloadOf, scoreAnswer, scoreV3Answer, type TraceOf } from './answer.js'
import { numberedScores, type ScoreRow, scoreById, scoresAfter, tracesOfCalls } from './list.js'

export function scoreRoutes(parts: Parts, scores: LangfuseScores): Bound[] {
  const { store, limits, register } = parts
  const feedback = new FeedbackStore(store)
  const options = (signal: AbortSignal) => ({ limits, signal, settings: READ_SETTINGS })

  /** The traces of these rows: scores of older versions and of imports don't say theirs. */
  const tracesOf = async (project: string, rows: readonly ScoreRow[]): Promise<TraceOf> => {
    const silent = rows.filter((row) => row.call_id !== '' && payloadOf(row).id === undefined)
    const calls = silent.map(({ call_id }) => call_id)
    const found =
      calls.length === 0
        ? []
        : await store.rows<{ id: string; trace_id: string }>(tracesOfCalls(project, calls))
    const traces = new Map(found.map(({ id, trace_id }) => [id, trace_id]))
    return (row) => payloadOf(row).traceId ?? traces.get(row.call_id)
  }

  return [
    serveLangfuse(declared.langfuseScoreCreate, async ({ project, principal, body }) => {
      const given = Array.isArray(body) ? body : [body]
      const checked = given.map((one) => checkedScore(one, uuid7()))
      const good = checked.filter((score): score is LangfuseScore => typeof score !== 'string')
      const wrong = checked.filter((score) => typeof score === 'string')
      if (!Array.isArray(body) && wrong[0] !== undefined) throw errors.badRequest(wrong[0])
      await register.note([project])
      await scores.write(project, principal.userId, good)
      if (!Array.isArray(body)) return { id: good[0]!.id }
      if (wrong.length === 0) return Reply.json({ message: 'Accepted' }, 202)
      const said = wrong.map((message) => ({ message }))
      return Reply.json({ accepted: good.length, rejected: wrong.length, errors: said }, 207)
    }),
    serveLangfuse(declared.langfuseScores, async ({ project, query, signal }) => {
      const { rows, count } = numberedScores(project, query)
      const [found, total] = await Promise.all([
        store.rows<ScoreRow>(rows, options(signal)),
        store.row<{ count: number }>(count, options(signal)),
      ])
      const traceOf = await tracesOf(project, found)
      return {
        data: found.map((row) => scoreAnswer(project, row, traceOf)),
        meta: pageMeta(query, total?.count ?? 0),
      }
    }),
    serveLangfuse(declared.langfuseScoresV3, async ({ project, query, signal }) => {
      const { limit, cursor, fields = [] } = query
      const unknown = fields.find((name) => !GROUPS.some((group) => group === name))
      if (unknown !== undefined)
        throw errors.badRequest(`fields has "${unknown.slice(0, 100)}"; it takes ${GROUPS.join(', ')}.`)
      const statement = scoresAfter(project, query, cursor === undefined ? undefined : readCursor(cursor))
      const found = await store.rows<ScoreRow>(statement, options(signal))
      const rows = found.slice(0, limit)
      const traceOf = await tracesOf(project, rows)
      const groups = new Set(fields)
      return {
        data: rows.map((row) => scoreV3Answer(project, row, traceOf, groups)),
        meta: { limit, ...(found.length > limit && { cursor: cursorText(rows.at(-1)!) }) },
      }
    }),
    serveLangfuse(declared.langfuseScore, async ({ project, params }) => {
      const row = await store.row<ScoreRow>(scoreById(project, params.score_id))
      if (row === undefined) throw errors.notFound(`Score ${params.score_id}`)
      return scoreAnswer(project, row, await tracesOf(project, [row]))
    }),
    serveLangfuse(declared.langfuseScoreDelete, async ({ project, params }) => {
      await feedback.purge(project, [scoreFeedbackId(project, params.score_id)])
      return { message: 'The score is deleted.' }
    }),
  ]
}
