/** Training jobs, what they train on, their metrics, and the models that come of them. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { get, post, type Schemas, send } from './client'

export type Job = Schemas['TrainingJob']
export type Step = Schemas['TrainingJobMetrics']
export type Source = Schemas['TrainingDataSourceInput']
export type Guidance = Pick<Schemas['RlJobCreate'], 'reward' | 'check'>
export type Preview = Schemas['TrainingDataPreview']

const JOBS = 50
const SAMPLES = 10
const POLL_MS = 2_000

type Jobs = '/v1/preview/training-jobs'
type JobPath = '/v1/preview/training-jobs/{training_job_id}'
/** The types go by the path of the route; the request goes to that of the job. */
const jobPath = <More extends '' | '/metrics' | '/logs' | '/events' | '/samples'>(
  id: string,
  more: More,
  query = '',
) => `/v1/preview/training-jobs/${encodeURIComponent(id)}${more}${query}` as `${JobPath}${More}`

export const isOver = ({ status }: Pick<Job, 'status'>): boolean =>
  ['completed', 'failed', 'cancelled'].includes(status)

const inProject = (project: string | undefined): { entity?: string; project?: string } => {
  const [entity = '', name = ''] = (project ?? '').split('/')
  return project === undefined ? {} : { entity, project: name }
}
const query = (fields: Record<string, string | number | undefined>) =>
  `?${new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))}`

/** The newest first. @param project undefined: of all that may be read */
export const jobsQuery = (project: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['training', 'jobs', project],
    initialPageParam: '',
    refetchInterval: POLL_MS,
    queryFn: ({ pageParam, signal }) => {
      const fields = { ...inProject(project), limit: JOBS, ...(pageParam !== '' && { after: pageParam }) }
      return get(`/v1/preview/training-jobs${query(fields)}` as Jobs, signal)
    },
    getNextPageParam: (last) => (last.has_more ? last.last_id : undefined),
  })

/** The steps of a job: those that are known are not read again. */
export const metricsQuery = (job: Job) =>
  queryOptions({
    queryKey: ['training', 'metrics', job.id, isOver(job)],
    staleTime: isOver(job) ? Number.POSITIVE_INFINITY : 0,
    refetchInterval: isOver(job) ? false : POLL_MS,
    queryFn: async ({ signal, client }): Promise<Step[]> => {
      const known = client.getQueryData<Step[]>(['training', 'metrics', job.id, false]) ?? []
      const after = known.at(-1)?.step ?? 0
      const { data } = await get(jobPath(job.id, '/metrics', query({ after })), signal)
      return data.length === 0 ? known : [...known, ...data]
    },
  })

export const logsQuery = (job: Job) =>
  queryOptions({
    queryKey: ['training', 'logs', job.id, isOver(job)],
    queryFn: async ({ signal }) => (await get(jobPath(job.id, '/logs', query({ limit: 100 })), signal)).data,
    refetchInterval: isOver(job) ? false : POLL_MS,
  })

export type JobEvent = Schemas['TrainingJobEvent']

/** What was done for a job before it is trained, and what it tells of itself. */
export const eventsQuery = (job: Job) =>
  infiniteQueryOptions({
    queryKey: ['training', 'events', job.id, job.status, job.preparing],
    initialPageParam: '',
    refetchInterval: job.preparing === null ? false : POLL_MS,
    queryFn: ({ pageParam, signal }) =>
      get(
        jobPath(job.id, '/events', query({ limit: 100, ...(pageParam !== '' && { after: pageParam }) })),
        signal,
      ),
    getNextPageParam: (last) => (last.has_more ? last.last_id : undefined),
  })

/** What a job is trained on. */
export const samplesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['training', 'samples', id],
    staleTime: Number.POSITIVE_INFINITY,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      get(
        jobPath(id, '/samples', query({ limit: SAMPLES, ...(pageParam !== '' && { after: pageParam }) })),
        signal,
      ),
    getNextPageParam: (last) => (last.has_more ? last.last_id : undefined),
  })

export const trainedModelsQuery = (project: string) =>
  queryOptions({
    queryKey: ['training', 'models', project],
    queryFn: async ({ signal }) =>
      (
        await get(
          `/v1/preview/models${query({ ...inProject(project), limit: 100 })}` as '/v1/preview/models',
          signal,
        )
      ).data,
  })

/** The newest first. */
export const checkpointsQuery = (model: string) =>
  queryOptions({
    queryKey: ['training', 'checkpoints', model],
    queryFn: async ({ signal }) =>
      (
        await get(
          `/v1/preview/models/${encodeURIComponent(model)}/checkpoints${query({ order: 'desc', limit: 100 })}` as '/v1/preview/models/{model_id}/checkpoints',
          signal,
        )
      ).data,
  })

export const servedModelsQuery = queryOptions({
  queryKey: ['models', 'served'],
  queryFn: async ({ signal }) =>
    (await get('/inference/router/aggregator/models', signal)).data.map(({ id }) => id),
})

export const previewOf = (body: Schemas['TrainingDataPreviewReq'], signal?: AbortSignal): Promise<Preview> =>
  post('/v1/preview/training-data/preview', body, signal)

/** Registers the model where it is new, and starts the job. */
export async function startJob(
  project: string,
  { name, base }: { name: string; base: string },
  kind: Job['kind'],
  { training_data, options, guidance }: { training_data: Source; options: object; guidance: Guidance },
): Promise<Job> {
  const model = await post('/v1/preview/models', {
    ...inProject(project),
    name,
    base_model: base,
    return_existing: true,
  })
  const asked = { model_id: model.id, training_data }
  return kind === 'rl'
    ? post('/v1/preview/training-jobs', { ...asked, ...guidance, experimental_config: options })
    : post('/v1/preview/sft-training-jobs', { ...asked, config: { ...options, method: kind } })
}

export const cancelJob = (id: string): Promise<Response> =>
  send('POST', `/v1/preview/training-jobs/${encodeURIComponent(id)}/cancel`)

/** Has a paused job trained after all. */
export const resumeJob = (id: string): Promise<Response> =>
  send('POST', `/v1/preview/training-jobs/${encodeURIComponent(id)}/resume`)

/** What chat calls a checkpoint. */
export const addressOf = ({ entity, project, model_name: name }: Job, step: number): string =>
  `artifact:///${entity}/${project}/${name}:step${step}`
