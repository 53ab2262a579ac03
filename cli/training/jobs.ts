/** `heddle jobs`: lists training jobs, follows and cancels one, prints its metrics and its log. */
import type { listJobLogs } from '../../contract/training-jobs.js'
import { CommandError } from '../command.js'
import type { AnswerTo } from '../contract-client.js'
import { ask, readJson, sendJson, type Target } from '../http-client.js'
import { wholeNumber } from '../option-values.js'
import { list, type Shown } from '../shown.js'
import { table } from '../table.js'
import { items, type Job, jobPath } from './training-client.js'

interface JobsOptions {
  project?: string
  status?: string
  limit: string
}

/** The newest jobs first. */
export async function jobList(to: Target, { project, status, limit }: JobsOptions): Promise<Shown> {
  const most = wholeNumber('--limit', limit)
  const [entity, name, ...more] = project?.split('/') ?? []
  if (entity === '' || name === '' || more.length > 0)
    throw new CommandError(`--project ${project} is neither an entity nor entity/project`, 2)
  const query = new URLSearchParams({
    ...(entity !== undefined && { entity }),
    ...(name !== undefined && { project: name }),
    ...(status !== undefined && { status }),
  })
  const jobs: Job[] = []
  for await (const job of items<Job>(to, `/v1/preview/training-jobs?${query}`)) {
    if (jobs.push(job) >= most) break
  }
  return list(jobs, ['JOB', 'MODEL', 'KIND', 'STATUS', 'STEPS', 'CREATED'], row, 'no jobs')
}

function row(job: Job): string[] {
  const { entity, project, model_name: name } = job
  const steps = job.steps_total === null ? '' : `${job.steps_done}/${job.steps_total}`
  return [job.id, `${entity}/${project}/${name}`, job.kind, job.status, steps, job.created_at.slice(0, 19)]
}

/** One job, field by field. */
export async function jobScreen(to: Target, id: string): Promise<Shown> {
  const job = await readJson<Job>(to, jobPath(id))
  const shown = Object.entries(job).filter(([, value]) => value !== null && value !== '')
  return { value: job, text: table(shown.map(([name, value]) => [name, String(value)])) }
}

/** @returns one sentence */
export async function cancelJob(to: Target, id: string): Promise<string> {
  const { status } = await sendJson<Job>(to, jobPath(id, '/cancel'), {})
  return status === 'completed' || status === 'failed'
    ? `the job had already ended: ${status}\n`
    : 'cancelled\n'
}

/** Has a paused job trained after all. @returns one sentence @throws CommandError for a job that is not paused */
export async function resumeJob(to: Target, id: string): Promise<string> {
  const { status } = await readJson<Job>(to, jobPath(id))
  if (status !== 'paused') throw new CommandError(`job ${id} is not paused; it is ${status}`)
  await sendJson<Job>(to, jobPath(id, '/resume'), {})
  return 'resumed\n'
}

/** The metrics of every step, as the interface returns them. */
export async function jobMetrics(to: Target, id: string, { csv }: { csv?: boolean }): Promise<string> {
  const answer = await ask(to, 'GET', jobPath(id, `/metrics?format=${csv ? 'csv' : 'json'}`))
  return `${(await answer.text()).trimEnd()}\n`
}

/** Prints the log of a job, line by line. */
export async function jobLog(to: Target, id: string): Promise<string> {
  for await (const { created_at: at, level, message } of items<AnswerTo<typeof listJobLogs>['data'][number]>(
    to,
    jobPath(id, '/logs'),
  ))
    process.stdout.write(`${at}  ${level.padEnd(5)}  ${message}\n`)
  return ''
}
