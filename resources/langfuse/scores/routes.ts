import * as declared from '../../../contract/langfuse-scores.js'
import { pageMeta } from '../../../contract/langfuse-shared.js'
import {
  checkedScore,
  configIdOf,
  type LangfuseScore,
  scoreFeedbackId,
} from '../../../domain/feedback/langfuse-score.js'
import type { LangfuseScores } from '../../../domain/feedback/langfuse-scores.js'
import { configsById } from '../../../domain/feedback/score-configs.js'
import { errors } from '../../../platform/errors/catalog.js'
import { type Bound, Reply } from '../../../platform/http/request.js'
import { uuid7 } from '../../../platform/ids/uuid7.js'
import { FeedbackStore } from '../../feedback/store.js'
import type { Parts } from '../../parts.js'
import { cursorText, readCursor } from '../cursor.js'
import { serveLangfuse } from '../serve.js'
import { GROUPS, scoreAnswer, scoreV3Answer } from './answer.js'
import { numberedScores, scoreById, scoresAfter } from './list.js'
import type { ScoreReader } from './reader.js'

export function scoreRoutes(parts: Parts, scores: LangfuseScores, reader: ScoreReader): Bound[] {
  const { store, register } = parts
  const feedback = new FeedbackStore(store)

  return [
    serveLangfuse(declared.langfuseScoreCreate, async ({ project, principal, body }) => {
      const given = Array.isArray(body) ? body : [body]
      const named = given.flatMap((one) => configIdOf(one) ?? [])
      const configs = await configsById(store, project, named)
      const checked = given.map((one) => checkedScore(one, uuid7(), configs))
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
      const [{ rows: found, traceOf }, total] = await Promise.all([
        reader.rows(project, rows, signal),
        reader.count(count, signal),
      ])
      return {
        data: found.map((row) => scoreAnswer(project, row, traceOf)),
        meta: pageMeta(query, total),
      }
    }),
    serveLangfuse(declared.langfuseScoresV3, async ({ project, query, signal }) => {
      const { limit, cursor, fields = [] } = query
      const unknown = fields.find((name) => !GROUPS.some((group) => group === name))
      if (unknown !== undefined)
        throw errors.badRequest(`fields has "${unknown.slice(0, 100)}"; it takes ${GROUPS.join(', ')}.`)
      const statement = scoresAfter(project, query, cursor === undefined ? undefined : readCursor(cursor))
      const { rows: found, traceOf } = await reader.rows(project, statement, signal)
      const rows = found.slice(0, limit)
      const groups = new Set(fields)
      return {
        data: rows.map((row) => scoreV3Answer(project, row, traceOf, groups)),
        meta: { limit, ...(found.length > limit && { cursor: cursorText(rows.at(-1)!) }) },
      }
    }),
    serveLangfuse(declared.langfuseScore, async ({ project, params, signal }) => {
      const { rows, traceOf } = await reader.rows(project, scoreById(project, params.score_id), signal)
      if (rows[0] === undefined) throw errors.notFound(`Score ${params.score_id}`)
      return scoreAnswer(project, rows[0], traceOf)
    }),
    serveLangfuse(declared.langfuseScoreDelete, async ({ project, params }) => {
      await feedback.purge(project, [scoreFeedbackId(project, params.score_id)])
      return { message: 'The score is deleted.' }
    }),
  ]
}
