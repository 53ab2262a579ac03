/** Rules close the loop: a version of a dataset trains a model, and the end of its training starts an evaluation. */
import { beforeAll, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { type ChatEndpoint, PARIS } from '../support/chat-server.js'
import { Evaluations } from '../support/evaluations.js'
import { freshProject } from '../support/ids.js'
import { sharedChat } from '../support/shared-server.js'
import { until } from '../support/until.js'

let chat: ChatEndpoint
beforeAll(async () => {
  chat = await sharedChat()
})

it('a dataset’s version is trained on, once, and what was trained is evaluated', async () => {
  const { server, url, authorization } = chat
  const project = freshProject()
  const [entity, name] = project.split('/')
  const ask = (path: string, body: Row) => server.api.ok(path, { project_id: project, ...body })
  const question = 'What is the capital of France?'
  const evaluations = new Evaluations(server.api, project)
  const scorers = [await evaluations.scorer('exact', 'ExactMatchScorer', { trim: true })]
  await evaluations.evaluation([{ question, expected: PARIS }], scorers)
  await evaluations.model('demo', { temperature: 0 })
  const made = await fetch(`${url}/v1/preview/models`, {
    method: 'POST',
    headers: { ...authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ entity, project: name, name: 'tuned', base_model: 'demo' }),
  })
  expect(made.status).toBe(200)
  await ask('/rules/save', {
    name: 'train',
    trigger: { type: 'dataset_version', dataset: 'talks' },
    actions: [{ type: 'train', model: 'tuned', config: { epochs: 1 } }],
  })
  await ask('/rules/save', {
    name: 'evaluate',
    trigger: { type: 'training_job', model: 'tuned' },
    actions: [{ type: 'evaluate', evaluation: 'questions', model: 'model' }],
  })
  const ended = (rule: string) =>
    until(
      `${rule} to be done`,
      async () => {
        const runs = (await ask('/rules/runs', { rule })).runs as Row[]
        return (
          runs.length > 0 && runs.every(({ actions }) => (actions as Row[])[0]!.state !== 'waiting') && runs
        )
      },
      120,
    )
  const messages = [
    { role: 'user', content: question },
    { role: 'assistant', content: PARIS },
  ]
  await server.api.ok(`/v2/${project}/datasets`, { name: 'talks', rows: [{ messages }] })

  const [trained, ...others] = await ended('train')
  expect(others).toEqual([])
  const [{ result: job }] = trained!.actions as [Row]
  const [run] = await ended('evaluate')
  expect(run).toMatchObject({
    subject: { type: 'training_job', id: job, name: 'tuned', detail: 'completed' },
    actions: [{ state: 'done', problem: null }],
  })
  const [{ result: id }] = run!.actions as [Row]
  expect(await evaluations.ended(String(id))).toMatchObject({
    output: { exact: { passed: { true_count: 1 } } },
  })
  const { entries } = await server.api.ok('/audit/query', { scope: project, action: 'train' })
  expect(entries).toMatchObject([
    { username: 'rules', outcome: 'ok', target: { rule: 'train', model: 'tuned' } },
  ])
  // The key that started the job is gone.
  const { keys } = JSON.parse((await server.api.get('/keys')).text) as { keys: Row[] }
  expect(keys.filter(({ label }) => String(label).startsWith('rule '))).toEqual([])
})
