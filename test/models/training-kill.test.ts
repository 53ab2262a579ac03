/**
 * A job whose worker, node, Redis and service are killed, one after the other, at whatever step it is: it ends with the
 * weights of a job that nothing happened to, every event told once.
 */
import { createHash } from 'node:crypto'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChatServer } from '../support/chat-server.js'
import { demoModel } from '../support/demo-model.js'
import { isAlive, processBelow, signal } from '../support/processes.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

/** Enough of them that the job is under way at each kill. */
const STEPS = 600
const BATCHES = 5
/** The same seed, data and start give the same weights, whatever the models are called. */
const line = (i: number) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: `What is pattern ${i % 5}?` },
      { role: 'assistant', content: 'It is woven under and over, under and over. '.repeat(4 + (i % 5)) },
    ],
  })
const data = `data:,${encodeURIComponent(Array.from({ length: 8 * BATCHES }, (_, i) => line(i)).join('\n'))}`

const saving = { HEDDLE_TRAIN_SAVE_STEPS: '5' }
let chat: ChatServer
let server: Server
beforeAll(async () => {
  chat = await ChatServer.start({ env: saving })
  server = chat.server
})
afterAll(() => server?.dispose())

interface Job {
  id: string
  status: string
  attempt: number
  steps_done: number
  error_message: string | null
}

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${chat.url}/v1/preview${path}`, {
    method,
    headers: chat.authorization,
    ...(body && { body: JSON.stringify(body) }),
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

async function begin(name: string): Promise<{ model: string; job: string }> {
  const wanted = { entity: 'acme', project: 'kills', name, base_model: 'demo' }
  const { id: model } = await ask<{ id: string }>('POST', '/models', wanted)
  const config = { batch_size: 8, learning_rate: 1e-3, epochs: STEPS / BATCHES }
  const body = { model_id: model, training_data_url: data, config }
  const { id: job } = await ask<Job>('POST', '/sft-training-jobs', body)
  return { model, job }
}

const jobOf = (id: string) => ask<Job>('GET', `/training-jobs/${id}`)

async function done(id: string): Promise<Job> {
  const job = await until(
    'the job to end',
    async () => {
      const now = await jobOf(id)
      return ['completed', 'failed'].includes(now.status) && now
    },
    150,
  )
  expect(job).toMatchObject({ status: 'completed', steps_done: STEPS, error_message: null })
  return job
}

/** Waits until the job has made some steps more than it has now, any number of them. */
async function further(id: string): Promise<void> {
  const { steps_done: now } = await until('the service to answer', () => jobOf(id))
  const enough = now + 1 + Math.floor(Math.random() * 10)
  const job = await until('more steps', async () => {
    const after = await jobOf(id)
    return (after.steps_done >= enough || after.status === 'completed') && after
  })
  expect(job.status).not.toBe('completed')
}

async function eventsOf(id: string): Promise<{ id: string; type: string; data: Record<string, number> }[]> {
  const all: { id: string; type: string; data: Record<string, number> }[] = []
  for (let after = ''; ; after = `&after=${all.at(-1)!.id}`) {
    const page = await ask<{ data: typeof all; has_more: boolean }>(
      'GET',
      `/training-jobs/${id}/events?limit=100${after}`,
    )
    all.push(...page.data)
    if (!page.has_more) return all
  }
}

async function weightsOf(model: string): Promise<string> {
  const answer = await fetch(`${chat.url}/v1/preview/models/${model}/checkpoints/1/download`, {
    headers: chat.authorization,
  })
  const tar = extract()
  tar.end(Buffer.from(await answer.arrayBuffer()))
  let weights = ''
  for await (const entry of tar) {
    const hash = createHash('sha256')
    for await (const piece of entry) hash.update(piece as Uint8Array)
    if (entry.header.name.endsWith('adapter_model.safetensors')) weights = hash.digest('hex')
  }
  expect(weights).not.toBe('')
  return weights
}

it('ends as if nothing had happened', async () => {
  const calm = await begin('calm')
  await done(calm.job)
  const killed = await begin('killed')
  for (const name of ['trainer-worker', 'heddle_model_server serve', 'redis-server']) {
    await further(killed.job)
    const pid = processBelow(server.pid, name)
    signal(pid, 'SIGKILL')
    await until(`${name} to be gone`, () => !isAlive(pid))
  }
  await further(killed.job)
  const { dataDir, ports } = server
  await server.kill()
  const env = {
    ...saving,
    HEDDLE_CHAT: 'true',
    HEDDLE_MODEL: demoModel(),
    HEDDLE_TRAINING_PORT: new URL(chat.url).port,
  }
  server = await Server.start({ dataDir, ports, env })
  const { attempt } = await done(killed.job)
  expect(attempt).toBeGreaterThan(2)
  const [undisturbed, events] = [await eventsOf(calm.job), await eventsOf(killed.job)]
  expect(events.map(({ type }) => type)).toEqual([
    'training_started',
    ...Array(STEPS).fill('gradient_step'),
    'training_ended',
  ])
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  const losses = (list: typeof events) => list.map((event) => event.data.loss)
  expect(losses(events)).toEqual(losses(undisturbed))
  expect(await weightsOf(killed.model)).toBe(await weightsOf(calm.model))
})
