/** Tools of agents start training and an evaluation of a model that is served here, and show how they went. */
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

it('starts training and an evaluation, and shows curves and scores', async () => {
  const { server } = chat
  const project = freshProject()
  const call = async (name: string, given: object): Promise<Row> => {
    const params = { name, arguments: { project, ...given } }
    const { result } = await server.api.ok('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { isError, content, structuredContent } = result as { isError?: true; content: Row[] } & Row
    if (isError) throw new Error(`${name}: ${content[0]!.text}`)
    return structuredContent as Row
  }
  const question = 'What is the capital of France?'
  const rows = Array.from({ length: 4 }, (_, i) => ({ question, expected: PARIS, number: i }))

  const { ref } = await call('add_to_dataset', { dataset: 'questions', rows })
  const { job_id } = await call('start_training', {
    ...{ model: 'tuned', base_model: 'demo', dataset: 'questions', epochs: 2 },
    ...{ prompt: '{question}', completion: '{expected}' },
  })
  const evaluations = new Evaluations(server.api, project)
  const scorers = [await evaluations.scorer('exact', 'ExactMatchScorer', { trim: true })]
  await server.api.ok(`/v2/${project}/evaluations`, { name: 'exactly', dataset: ref!, scorers })
  await evaluations.model('demo', { temperature: 0 })
  const answers = ['good', 'bad'].map((answer) => ({ question, answer }))
  await call('add_to_dataset', { dataset: 'answers', rows: answers })
  await evaluations.scorer('good', 'RegexScorer', { pattern: '^good$' })
  const rewarded = await call('start_training', {
    ...{ model: 'rewarded', base_model: 'demo', method: 'rl', dataset: 'answers', reward: 'good' },
    ...{ prompt: '{question}', completion: '{answer}' },
  })
  const { run_id } = await call('start_evaluation', { evaluation: 'exactly', model: 'model' })

  const run = await until('the evaluation to end', async () => {
    const compared = await call('compare_evaluations', { run_ids: [run_id!], sort_by: 'scores.exact' })
    return (compared.runs as Row[])[0]!.status === 'complete' && compared
  })
  expect(run).toMatchObject({
    runs: [{ run_id, trials: 4, failed_trials: 0, scores: [{ scorer: 'exact', pass_rate: 1 }] }],
    row_count: 4,
  })
  expect(run.rows).toHaveLength(4)
  const ended = (id: string) =>
    until('the training to end', async () => {
      const read = await call('read_training', { job_id: id })
      const [job] = read.jobs as Row[]
      expect(job!.error).toBeUndefined()
      return job!.status === 'completed' && read
    })
  const trained = await ended(String(job_id))
  expect(trained.steps).toMatchObject([{ step: 1, metrics: { loss: expect.any(Number) } }, { step: 2 }])
  expect((await ended(String(rewarded.job_id))).steps).toMatchObject([{ metrics: { reward: 0.5 } }])
  expect(await call('read_training', {})).toMatchObject({
    jobs: [
      { job_id: rewarded.job_id, kind: 'rl', status: 'completed' },
      { job_id, kind: 'sft', status: 'completed' },
    ],
  })
})
