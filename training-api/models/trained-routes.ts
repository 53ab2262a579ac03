/** The routes of trainable models, bound. */
import { randomBytes } from 'node:crypto'
import * as contract from '../../contract/training-models.js'
import { addressOf, logKey } from '../../domain/training/artifact-keys.js'
import {
  modelLease,
  modelList,
  modelNamed,
  putModel,
  type StoredModel,
  storedModel,
} from '../../domain/training/models.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { isProjectName, projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { nowMicros } from '../../platform/time/iso.js'
import { pageAnswer } from '../jobs/answer.js'
import { readGroups } from '../jobs/create.js'
import type { JobService } from '../jobs/job-service.js'
import { maskedLines, storeLines } from '../jobs/lines.js'
import { invalid, trainingProblems } from '../jobs/problems.js'
import { visibleProjects } from '../jobs/routes.js'

const DEFAULT_PROJECT = 'default'
/** An empty answer has no content type. */
const NOTHING = new Reply(204, '', '')

export function trainedModelRoutes(service: JobService): Bound[] {
  return [
    serve(contract.createModel, ({ body, principal }) => create(service, body, principal)),
    serve(contract.listTrainableModels, async ({ query, principal }) => {
      const { after, limit } = query
      const projects = await visibleProjects(service, principal, query)
      if (after !== undefined) {
        const model = await storedModel(service.store, after)
        if (!model || !projects.includes(model.project_id)) throw trainingProblems.badCursor(after)
      }
      const models = await modelList(service.store, {
        projects,
        ...(after !== undefined && { after }),
        limit: limit + 1,
      })
      return pageAnswer(models.map(modelAnswer), limit)
    }),
    serve(contract.getModel, async ({ params, principal }) =>
      modelAnswer(await service.model(params.model_id, principal, 'read')),
    ),
    serve(contract.deleteModel, async ({ params, principal, note }) => {
      const model = await service.model(params.model_id, principal, 'write')
      note?.({ project: `${model.entity}/${model.project}`, target: { model: model.name } })
      await service.leases.hold(modelLease(model.id), async (fence) => {
        await putModel(service.store, { ...model, deleted_at: nowMicros() }, fence)
      })
      // No job can be added now, and the checkpoints can't be reached; workers remove their files.
      await service.stopAll(model.id)
      return NOTHING
    }),
    serve(contract.logTrajectories, async ({ params, chunks, principal }) => {
      const model = await service.model(params.model_id, principal, 'write')
      await log(service, model, chunks!, principal)
      return NOTHING
    }),
  ]
}

function modelAnswer({ id, entity, project, name, base_model, run_id }: StoredModel) {
  return { id, entity, project, name, base_model, run_id: run_id === '' ? null : run_id }
}

interface Wanted {
  entity?: string | null | undefined
  project?: string | null | undefined
  name?: string | null | undefined
  base_model: string
  return_existing: boolean | null
}

async function create(service: JobService, wanted: Wanted, principal: Principal) {
  const entity = wanted.entity ?? defaultEntity(principal)
  const project = wanted.project ?? DEFAULT_PROJECT
  const name = wanted.name ?? `model-${randomBytes(4).toString('hex')}`
  const projectName = `${entity}/${project}`
  if (!isProjectName(projectName))
    throw errors.badName(`"${projectName}" is not a project; write entity/project.`)
  principal.must('write', projectName)
  const projectId = projectIdOf(projectName)
  return service.leases.hold(`training-model-name ${projectId} ${name}`, async (fence) => {
    const there = await modelNamed(service.store, projectId, name)
    if (there) {
      if (there.base_model !== wanted.base_model)
        throw trainingProblems.otherBase(`${projectName}/${name}`, there.base_model)
      if (!wanted.return_existing) throw trainingProblems.nameTaken(`${projectName}/${name}`)
      return modelAnswer(there)
    }
    const made: StoredModel = {
      ...{
        project_id: projectId,
        id: uuid7(),
        entity,
        project,
        name,
        base_model: wanted.base_model,
        run_id: '',
      },
      ...{ created_at: nowMicros(), created_by: principal.userId, deleted_at: 0, files_deleted_at: 0 },
    }
    await putModel(service.store, made, fence)
    return modelAnswer(made)
  })
}

/** The first entity that the key has a right on, the one that SDKs get as their default. */
function defaultEntity({ grants, username }: Principal): string {
  return grants.find(({ scope }) => scope !== '*')?.scope.split('/')[0] ?? username
}

async function log(
  service: JobService,
  model: StoredModel,
  chunks: AsyncIterable<Uint8Array>,
  principal: Principal,
): Promise<void> {
  const { artifacts, root } = service.artifacts
  const id = uuid7()
  const key = logKey(model.id, id)
  const quota = await service.quota(model)
  try {
    const { stored, take } = await readGroups(service.threads, chunks, (lines) =>
      storeLines(artifacts, key, maskedLines(service.store, model.project_id, lines), quota),
    )
    const split = take('split')
    if (typeof split !== 'string' || split.length > 200)
      throw invalid(
        ['split'],
        split === undefined ? 'Field required' : 'Should be a text of at most 200 characters',
      )
    const named = take('model_id')
    if (named !== undefined && named !== null && named !== model.id)
      throw invalid(['model_id'], 'Should be the model of the path')
    if (!stored && !Array.isArray(take('trajectory_groups')))
      throw invalid(['trajectory_groups'], 'Field required')
    await service.store.insertRows('model_logs', [
      {
        ...{ project_id: model.project_id, model_id: model.id, id, split, address: addressOf(root, key) },
        ...{
          groups: stored?.count ?? 0,
          bytes: stored?.bytes ?? 0,
          created_at: nowMicros(),
          created_by: principal.userId,
        },
      },
    ])
  } catch (error) {
    await artifacts.delete(key).catch(() => undefined)
    throw error
  } finally {
    quota.release()
  }
}
