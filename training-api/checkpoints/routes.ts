/** The routes of checkpoints, bound. */
import * as contract from '../../contract/training-models.js'
import {
  checkpointList,
  checkpointsAt,
  putCheckpoints,
  type StoredCheckpoint,
  stepOfCheckpoint,
} from '../../domain/training/checkpoints.js'
import { modelLease } from '../../domain/training/models.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { nowMicros } from '../../platform/time/iso.js'
import { pageAnswer } from '../jobs/answer.js'
import type { JobService } from '../jobs/job-service.js'
import { trainingProblems } from '../jobs/problems.js'
import { checkpointTar } from './download.js'

export function checkpointRoutes(service: JobService): Bound[] {
  return [
    serve(contract.listCheckpoints, async ({ params, query, principal }) => {
      const model = await service.model(params.model_id, principal, 'read')
      const { after, limit, order } = query
      const step = after === undefined ? undefined : await stepOfCheckpoint(service.store, model, after)
      if (after !== undefined && step === undefined) throw trainingProblems.badCursor(after)
      const behind = step === undefined ? {} : { after: step }
      const found = await checkpointList(service.store, model, { ...behind, order, limit: limit + 1 })
      return pageAnswer(found.map(checkpointAnswer), limit)
    }),
    serve(contract.deleteCheckpoints, async ({ params, body, principal, note }) => {
      const model = await service.model(params.model_id, principal, 'write')
      note?.({ project: `${model.entity}/${model.project}`, target: { model: model.name } })
      const steps = [...new Set(body.steps)]
      return service.leases.hold(modelLease(model.id), async (fence) => {
        const valid = steps.filter((step) => step > 0 && step < 2 ** 32)
        const found = valid.length === 0 ? [] : await checkpointsAt(service.store, model, valid)
        const rows = found.map((row) => ({ ...row, deleted_at: nowMicros() }))
        await putCheckpoints(service.store, rows, fence)
        const there = new Set(found.map(({ step }) => step))
        return { deleted_count: found.length, not_found_steps: steps.filter((step) => !there.has(step)) }
      })
    }),
    serve(contract.downloadCheckpoint, async ({ params, principal, signal, note }) => {
      const model = await service.model(params.model_id, principal, 'read')
      note?.({ project: `${model.entity}/${model.project}`, target: { model: model.name } })
      const [row] =
        params.step === 'latest'
          ? await checkpointList(service.store, model, { order: 'desc', limit: 1 })
          : await checkpointsAt(service.store, model, [Number(params.step)])
      if (!row) throw trainingProblems.noCheckpoint(params.step)
      const name = `${model.name}-step${row.step}`
      return new Reply(200, 'application/x-tar', await checkpointTar(service.artifacts, row, name, signal), {
        'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}.tar"`,
      })
    }),
  ]
}

function checkpointAnswer({ id, step, metrics }: StoredCheckpoint) {
  return { id, step, metrics: JSON.parse(metrics) as Record<string, number> }
}
