/** The routes of evaluations, bound. Their parts are created here, from those of other folders. */

import { evalResultsQuery } from '../../contract/evaluation-results.js'
import * as contract from '../../contract/evaluation-runs.js'
import * as server from '../../contract/evaluation-server.js'
import { deleteCalls } from '../../domain/calls/delete.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import { collect } from '../../platform/bytes/collect.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { linesType } from '../../platform/http/accept.js'
import type { Principal } from '../../platform/http/principal.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { Parts } from '../parts.js'
import { CallRows } from './call-row.js'
import { Creator } from './create.js'
import { Journal } from './journal.js'
import { evaluationObjectRoutes } from './object-routes.js'
import type { EvaluationParts } from './parts.js'
import { Predictions } from './predictions.js'
import { Publisher } from './publish.js'
import { Repository } from './repository.js'
import { EvaluationResults } from './results/results.js'
import { Runs } from './runs.js'
import { Scores } from './scores.js'
import type { ServerRuns } from './server/runs.js'
import { statusOf } from './server/status.js'
import { predictionList, runList, runRead, scoreList } from './views.js'

const ONE = { limit: 1, offset: 0 }

/** The parts that evaluations and monitors share. */
export function evaluationParts(parts: Parts): EvaluationParts {
  const { store, workers } = parts
  const [publisher, journal, calls] = [new Publisher(parts), new Journal(store, workers), new CallRows(store)]
  return { ...parts, publisher, journal, calls }
}

export function evaluationRoutes(shared: EvaluationParts, serverRuns: ServerRuns): Bound[] {
  const { store, limits } = shared
  const runs = new Runs(shared)
  const predictions = new Predictions(shared, runs)
  const scores = new Scores(shared, runs, predictions)
  const results = new EvaluationResults(shared)
  const reader = new CallReader(store, limits)

  const lines = async (statement: Sql, headers: ReadonlyMap<string, string>, signal: AbortSignal) =>
    new Reply(200, linesType(headers.get('accept')), await reader.lines(statement, signal, true))

  const one = async (statement: Sql, what: string, signal: AbortSignal): Promise<Reply> => {
    const text = (await collect(await reader.lines(statement, signal))).toString().trimEnd()
    if (text === '') throw errors.notFound(what)
    return new Reply(200, 'application/json', text)
  }

  const remove = async (project: string, ids: readonly string[]) => {
    if (ids.length > contract.DELETE_LIMIT) throw errors.tooMany('ids', contract.DELETE_LIMIT)
    return { num_deleted: await deleteCalls(store, projectIdOf(project), ids) }
  }

  return [
    ...evaluationObjectRoutes(new Repository(shared), new Creator(shared)),
    serve(server.evaluateModel, async ({ body, principal }) => ({
      call_id: await serverRuns.evaluate(
        { project: body.project_id, principal },
        body.evaluation_ref,
        body.model_ref,
      ),
    })),
    serve(server.evaluationStatus, async ({ body, principal }) => {
      const status = await statusOf(shared, { project: body.project_id, principal }, body.call_id)
      return new Reply(200, 'application/json', `{"status":${status}}`)
    }),
    serve(server.rescore, async ({ body, principal }) => {
      const requester = { project: body.project_id, principal }
      const id = await serverRuns.rescore(requester, body.source_evaluation_run_id, body.scorer_refs)
      return { call_id: id, evaluation_run_id: id }
    }),
    serve(server.callsScore, async ({ body, principal }) => {
      await serverRuns.score({ project: body.project_id, principal }, body.call_ids, body.scorer_refs)
      return {}
    }),
    serve(server.planScorers, ({ body, principal }) =>
      serverRuns.planned(
        { project: body.project_id, principal },
        body.scorer_refs,
        body.dataset_ref ?? undefined,
      ),
    ),

    serve(contract.runCreate, async (request) => ({ evaluation_run_id: await runs.create(bodyOf(request)) })),
    serve(contract.runs.list, ({ params, query, headers, signal }) => {
      const filter = {
        evaluations: query.evaluations ?? [],
        models: query.models ?? [],
        ids: query.evaluation_run_ids ?? [],
      }
      return lines(runList(projectIdOf(nameOf(params)), filter, query), headers, signal)
    }),
    serve(contract.runs.read, ({ params, signal }) => {
      const { evaluation_run_id: id } = params
      return one(runRead(projectIdOf(nameOf(params)), id), `Evaluation run ${id}`, signal)
    }),
    serve(contract.runFinish, async (request) => {
      await runs.finish(bodyOf(request), request.params.evaluation_run_id)
      return { success: true }
    }),
    serve(contract.runs.remove, ({ params, query }) => remove(nameOf(params), query.evaluation_run_ids)),

    serve(contract.predictionCreate, async (request) => ({
      prediction_id: await predictions.create(bodyOf(request)),
    })),
    serve(contract.predictions.list, ({ params, query, headers, signal }) => {
      const statement = predictionList(projectIdOf(nameOf(params)), { run: query.evaluation_run_id }, query)
      return lines(statement, headers, signal)
    }),
    serve(contract.predictions.read, ({ params, signal }) => {
      const { prediction_id: id } = params
      return one(predictionList(projectIdOf(nameOf(params)), { id }, ONE), `Prediction ${id}`, signal)
    }),
    serve(contract.predictionFinish, async ({ params }) => {
      await predictions.finish(nameOf(params), params.prediction_id)
      return { success: true }
    }),
    serve(contract.predictions.remove, ({ params, query }) => remove(nameOf(params), query.prediction_ids)),

    serve(contract.scoreCreate, async (request) => ({ score_id: await scores.create(bodyOf(request)) })),
    serve(contract.scores.list, ({ params, query, headers, signal }) => {
      const statement = scoreList(projectIdOf(nameOf(params)), { run: query.evaluation_run_id }, query)
      return lines(statement, headers, signal)
    }),
    serve(contract.scores.read, ({ params, signal }) => {
      const { score_id: id } = params
      return one(scoreList(projectIdOf(nameOf(params)), { id }, ONE), `Score ${id}`, signal)
    }),
    serve(contract.scores.remove, ({ params, query }) => remove(nameOf(params), query.score_ids)),

    serve(evalResultsQuery, async ({ params, body, principal, signal }) => {
      const answer = await results.answer({ project: nameOf(params), principal, asked: body, signal })
      return new Reply(200, 'application/json', answer)
    }),
  ]
}

interface InProject {
  entity: string
  project: string
}

function nameOf({ entity, project }: InProject): string {
  return `${entity}/${project}`
}

function bodyOf(request: { params: InProject; principal: Principal; bytes: Uint8Array }) {
  return { project: nameOf(request.params), principal: request.principal, bytes: request.bytes }
}
