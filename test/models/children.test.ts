/**
 * Whatever `heddle up` starts is gone soon after it was killed, whatever that is doing: serving, training, evaluating,
 * waiting for a Redis that does not answer.
 */
import { afterEach, expect, it } from 'vitest'
import { ChatServer, PARIS } from '../support/chat-server.js'
import { Evaluations } from '../support/evaluations.js'
import { freshProject } from '../support/ids.js'
import { descendants, isAlive, signal } from '../support/processes.js'
import { TrainingCaller } from '../support/training-caller.js'
import { until } from '../support/until.js'

/** As docs/operate/running.md says, and as much again for a machine that is busy. */
const SECONDS = 20

let chat: ChatServer
let below: number[] = []
afterEach(async () => {
  for (const pid of below.filter(isAlive)) signal(pid, 'SIGKILL')
  await chat.dispose()
})

async function startWithWork(): Promise<void> {
  chat = await ChatServer.start({ env: { HEDDLE_EVALUATION_ROWS: '1' } })
  const { server } = chat
  const training = new TrainingCaller(`${chat.url}/v1/preview`, server.key)
  const line = JSON.stringify({
    messages: [
      { role: 'user', content: 'What is the pattern?' },
      { role: 'assistant', content: 'It is woven under and over. '.repeat(20) },
    ],
  })
  const job = await training.sft(await training.model('pattern'), Array(64).fill(line), {
    batch_size: 1,
    epochs: 50,
  })
  expect((await training.until(job.id, ({ steps_done }) => steps_done > 0)).status).toBe('running')
  const evaluations = new Evaluations(server.api, freshProject())
  const rows = Array.from({ length: 500 }, (_, number) => ({
    question: 'What is the capital of France?',
    ...{ expected: PARIS, number },
  }))
  const scorer = await evaluations.scorer('exact', 'ExactMatchScorer', { trim: true })
  const evaluation = await evaluations.evaluation(rows, [scorer])
  const id = await evaluations.begin(evaluation, await evaluations.model('demo', { temperature: 0 }))
  await evaluations.reach(id, 1)
}

it.each(['all is well', 'neither Redis nor the model node answers'])(
  'nothing outlives it, where %s',
  async (state) => {
    await startWithWork()
    const { server } = chat
    below = descendants(server.pid)
    if (state.startsWith('neither'))
      for (const name of ['redis-server', 'heddle_model_server serve'])
        signal(chat.processOf(name), 'SIGSTOP')
    expect(below.length).toBeGreaterThan(8)
    server.process.kill('SIGKILL')
    await until(`all of ${below.length} to be gone`, () => !below.some(isAlive), SECONDS)
  },
)
