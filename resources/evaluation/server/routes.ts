import * as contract from '../../../contract/evaluation-server.js'
import { type Bound, Reply, serve } from '../../../platform/http/request.js'
import type { EvaluationParts } from '../parts.js'
import type { ServerRuns } from './runs.js'
import { statusOf } from './status.js'

export function serverRoutes(parts: EvaluationParts, runs: ServerRuns): Bound[] {
  return [
    serve(contract.evaluateModel, async ({ body, principal }) => ({
      call_id: await runs.evaluate(
        { project: body.project_id, principal },
        body.evaluation_ref,
        body.model_ref,
      ),
    })),
    serve(contract.evaluationStatus, async ({ body, principal }) => {
      const status = await statusOf(parts, { project: body.project_id, principal }, body.call_id)
      return new Reply(200, 'application/json', `{"status":${status}}`)
    }),
    serve(contract.rescore, async ({ body, principal }) => {
      const requester = { project: body.project_id, principal }
      const id = await runs.rescore(requester, body.source_evaluation_run_id, body.scorer_refs)
      return { call_id: id, evaluation_run_id: id }
    }),
    serve(contract.callsScore, async ({ body, principal }) => {
      await runs.score({ project: body.project_id, principal }, body.call_ids, body.scorer_refs)
      return {}
    }),
    serve(contract.planScorers, ({ body, principal }) =>
      runs.planned({ project: body.project_id, principal }, body.scorer_refs, body.dataset_ref ?? undefined),
    ),
  ]
}
