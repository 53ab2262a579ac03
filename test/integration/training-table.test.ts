/**
 * Every operation about models and training jobs, by a table: a valid request is answered as its declaration says, an
 * invalid one is refused, and somebody of another entity is told no more than about what is not there. Neither they, nor
 * who may only read, change anything.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as jobs from '../../contract/training-jobs.js'
import * as models from '../../contract/training-models.js'
import { group, type Job, TrainingStack } from './testing/training-stack.js'

interface Row {
  route: {
    id: string
    method: string
    path: string
    access: string
    answer: { safeParse(value: unknown): { error?: unknown } }
  }
  /** behind /v1/preview; for ids of a model and of a job that has ended */
  path: (model: string, job: string) => string
  body?: (model: string) => unknown
  /** bodies and ends of paths that are refused */
  wrong: { body?: unknown; query?: string; status: number }[]
  /** what somebody of another entity is answered */
  rival: number
}

const page = [
  { query: '?limit=0', status: 422 },
  { query: '?limit=many', status: 422 },
]
const sft = {
  messages: [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
  ],
}
const inline = `data:application/jsonl,${encodeURIComponent(JSON.stringify(sft))}`

const table: Row[] = [
  {
    route: models.createModel,
    path: () => '/models',
    body: () => ({ entity: 'acme', project: 'toys', base_model: 'scripted' }),
    wrong: [
      { body: '{', status: 400 },
      { body: {}, status: 422 },
      { body: { entity: 'a/b', base_model: 'scripted' }, status: 422 },
    ],
    rival: 403,
  },
  { route: models.listTrainableModels, path: () => '/models', wrong: page, rival: 200 },
  { route: models.getModel, path: (model) => `/models/${model}`, wrong: [], rival: 404 },
  { route: models.listCheckpoints, path: (model) => `/models/${model}/checkpoints`, wrong: page, rival: 404 },
  {
    route: models.downloadCheckpoint,
    path: (model) => `/models/${model}/checkpoints/latest/download`,
    wrong: [],
    rival: 404,
  },
  {
    route: models.logTrajectories,
    path: (model) => `/models/${model}/log`,
    body: () => ({ split: 'val', trajectory_groups: [group(0)] }),
    wrong: [
      { body: '{', status: 400 },
      { body: { trajectory_groups: 7 }, status: 422 },
    ],
    rival: 404,
  },
  {
    route: jobs.createRlJob,
    path: () => '/training-jobs',
    body: (model) => ({ model_id: model, trajectory_groups: [group(0)] }),
    wrong: [
      { body: '{', status: 400 },
      { body: { trajectory_groups: [] }, status: 422 },
    ],
    rival: 404,
  },
  {
    route: jobs.createSftJob,
    path: () => '/sft-training-jobs',
    body: (model) => ({ model_id: model, training_data_url: inline }),
    wrong: [
      { body: {}, status: 422 },
      { body: { model_id: 7 }, status: 422 },
    ],
    rival: 404,
  },
  {
    route: jobs.listJobs,
    path: () => '/training-jobs',
    wrong: [...page, { query: '?kind=x', status: 422 }],
    rival: 200,
  },
  { route: jobs.getJob, path: (_, job) => `/training-jobs/${job}`, wrong: [], rival: 404 },
  { route: jobs.listEvents, path: (_, job) => `/training-jobs/${job}/events`, wrong: page, rival: 404 },
  { route: jobs.listJobSamples, path: (_, job) => `/training-jobs/${job}/samples`, wrong: page, rival: 404 },
  { route: jobs.listJobLogs, path: (_, job) => `/training-jobs/${job}/logs`, wrong: page, rival: 404 },
  {
    route: jobs.jobMetrics,
    path: (_, job) => `/training-jobs/${job}/metrics`,
    wrong: [
      { query: '?format=xml', status: 422 },
      { query: '?after=-1', status: 422 },
    ],
    rival: 404,
  },
  { route: jobs.cancelJob, path: (_, job) => `/training-jobs/${job}/cancel`, wrong: [], rival: 404 },
  { route: jobs.resumeJob, path: (_, job) => `/training-jobs/${job}/resume`, wrong: [], rival: 404 },
  {
    route: models.deleteCheckpoints,
    path: (model) => `/models/${model}/checkpoints`,
    body: () => ({ steps: [99] }),
    wrong: [
      { body: {}, status: 422 },
      { body: { steps: ['one'] }, status: 422 },
    ],
    rival: 404,
  },
  { route: models.deleteModel, path: (model) => `/models/${model}`, wrong: [], rival: 404 },
]

let stack: TrainingStack
let model: string
let job: string
beforeAll(async () => {
  stack = await TrainingStack.start()
  stack.addWorker()
  model = await stack.model('weaver')
  job = await stack.rl(model, 1)
  await stack.over(job)
})
afterAll(() => stack?.stop())

it('the table has every operation that is declared', () => {
  const declared = [...Object.values(jobs), ...Object.values(models)].flatMap((one) =>
    'method' in one && 'path' in one ? [one.id] : [],
  )
  expect(table.map(({ route }) => route.id).sort()).toEqual(declared.sort())
})

describe.each(table.map((row) => [row.route.id, row] as const))(
  '%s',
  (_, { route, path, body, wrong, rival }) => {
    const ask = (at: string, sent: unknown, key?: string) => stack.call<unknown>(route.method, at, sent, key)

    it.each(wrong)('refuses %j', async ({ body: bad, query = '', status }) => {
      const answer = await ask(path(model, job) + query, bad ?? body?.(model))
      expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({})])
    })

    const asked = (id: string) => JSON.stringify([path(id, id), body?.(id)])
    if (asked('one') !== asked('another'))
      it('knows nothing of what is not there', async () => {
        const id = '01a1fd52-d4a6-77c4-b55e-e782d66f431d'
        expect((await ask(path(id, id), body?.(id))).status).toBe(404)
      })

    it('tells another entity nothing, and does nothing for it or for who may only read', async () => {
      const before = await world()
      const { status, body: said } = await ask(path(model, job), body?.(model), 'rival')
      expect(status).toBe(rival)
      if (status === 200) expect(said).toMatchObject({ data: [], has_more: false })
      if (route.access === 'write') {
        const reader = await ask(path(model, job), body?.(model), 'acme:read')
        expect(reader).toMatchObject({ status: 403, body: { error: { reason: 'NO_RIGHT' } } })
      }
      expect(await world()).toEqual(before)
    })

    it('answers a valid request as declared', async () => {
      const { status, body: said } = await ask(path(model, job), body?.(model))
      // An answer that says nothing has no content.
      const empty = route.answer.safeParse(null).error === undefined
      expect([status, said]).toEqual(empty ? [204, ''] : [200, expect.anything()])
      if (!empty) expect(route.answer.safeParse(said).error).toBeUndefined()
    })
  },
)

it('what was deleted is gone', async () => {
  expect((await stack.call('GET', `/models/${model}`)).status).toBe(404)
})

/** What acme has; the states of its jobs are their worker's. */
async function world() {
  const models = await stack.call<{ data: object[] }>('GET', '/models?limit=100')
  const list = await stack.call<{ data: Job[] }>('GET', '/training-jobs?limit=100')
  return [models.body.data, list.body.data.map(({ id }) => id)]
}
