/** The routes of training jobs, bound. */

import * as contract from '../../contract/training-jobs.js'
import { credentialsIn } from '../../domain/auth/session-cookie.js'
import { stepsOf } from '../../domain/training/events.js'
import { type JobQuery, type JobRow, jobById, jobList } from '../../domain/training/jobs.js'
import { modelProjects, modelsById, type StoredModel, storedModel } from '../../domain/training/models.js'
import type { Principal } from '../../platform/http/principal.js'
import { type Bound, type Noted, type Request, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { jobAnswer, pageAnswer } from './answer.js'
import { createRl, createSft, type JobSources } from './create.js'
import type { JobService } from './job-service.js'
import { trainingProblems } from './problems.js'
import type { Requester } from './sources.js'

export function jobRoutes(service: JobService, sources: JobSources): Bound[] {
  return [
    serve(contract.createRlJob, async (request) => {
      const made = await createRl(service, sources, request.chunks!, requesterOf(request))
      request.note?.(factsOf(made))
      return jobAnswer(made.job, made.model, undefined)
    }),
    serve(contract.createSftJob, async (request) => {
      const made = await createSft(service, sources, request.body, requesterOf(request))
      request.note?.(factsOf(made))
      return jobAnswer(made.job, made.model, undefined)
    }),
    serve(contract.listJobs, ({ query, principal }) => list(service, query, principal)),
    serve(contract.getJob, async ({ params, principal }) => {
      const { job, model } = await findJob(service, params.training_job_id, principal, 'read')
      return answer(service, job, model)
    }),
    serve(contract.cancelJob, async ({ params, principal, note }) => {
      const { job, model } = await findJob(service, params.training_job_id, principal, 'write')
      note?.(factsOf({ job, model }))
      return answer(service, (await service.stop(job, 'cancelled')) ?? job, model)
    }),
    serve(contract.resumeJob, async ({ params, principal, note }) => {
      const { job, model } = await findJob(service, params.training_job_id, principal, 'write')
      note?.(factsOf({ job, model }))
      return answer(service, (await service.resume(job, principal.userId)) ?? job, model)
    }),
  ]
}

/** What the audit log says of a job. */
function factsOf({ job, model }: { job: JobRow; model: StoredModel }): Noted {
  return {
    project: `${model.entity}/${model.project}`,
    target: { training_job_id: job.id, model_id: model.id, model: model.name },
  }
}

/** Finds a job that the caller may see, and its model. @throws `UNKNOWN_JOB` (404), `NO_RIGHT` (403) */
export async function findJob(
  service: JobService,
  id: string,
  principal: Principal,
  right: 'read' | 'write',
): Promise<{ job: JobRow; model: StoredModel }> {
  const job = await jobById(service.store, id)
  const model = job && (await storedModel(service.store, job.model_id))
  if (!job || !model || !principal.may('read', `${model.entity}/${model.project}`))
    throw trainingProblems.noJob(id)
  principal.must(right, `${model.entity}/${model.project}`)
  return { job, model }
}

/** Internal ids of the named projects that have models and that the caller may read. */
export async function visibleProjects(
  service: JobService,
  principal: Principal,
  { entity, project }: { entity?: string | undefined; project?: string | undefined },
): Promise<string[]> {
  if (entity !== undefined && project !== undefined) {
    const name = `${entity}/${project}`
    return principal.may('read', name) ? [projectIdOf(name)] : []
  }
  const all = await modelProjects(service.store)
  return all
    .filter((one) => (entity ?? one.entity) === one.entity && (project ?? one.project) === one.project)
    .filter((one) => principal.may('read', `${one.entity}/${one.project}`))
    .map((one) => one.project_id)
}

function requesterOf({ principal, headers, signal }: Request): Requester {
  return { principal, credentials: credentialsIn(headers), signal, notes: [] }
}

async function answer(service: JobService, job: JobRow, model: StoredModel) {
  const steps = await stepsOf(service.store, [job.project_id], [job.id])
  return jobAnswer(job, model, steps.get(job.id))
}

type ListQuery = Omit<JobQuery, 'projects' | 'modelId'> & {
  model_id?: string | undefined
  entity?: string | undefined
  project?: string | undefined
}

async function list(service: JobService, query: ListQuery, principal: Principal) {
  const { model_id: modelId, after, limit } = query
  const projects = await visibleProjects(service, principal, query)
  if (after !== undefined) {
    const job = await jobById(service.store, after)
    if (!job || !projects.includes(job.project_id)) throw trainingProblems.badCursor(after)
  }
  const jobs = await jobList(service.store, { ...query, projects, modelId, limit: limit + 1 })
  const shown = jobs.slice(0, limit)
  const [models, steps] = await Promise.all([
    modelsById(service.store, [...new Set(shown.map((job) => job.model_id))]),
    stepsOf(
      service.store,
      projects,
      shown.map(({ id }) => id),
    ),
  ])
  const byId = new Map(models.map((model) => [model.id, model]))
  return pageAnswer(
    jobs.map((job) => jobAnswer(job, byId.get(job.model_id), steps.get(job.id))),
    limit,
  )
}
