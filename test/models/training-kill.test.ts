/**
 * A batch of chat completions whose worker, node, Redis and service are killed: every line has one answer. And a job whose worker, node, Redis and service are killed, one after the other, each at whatever step the job is: it ends
 * with the weights of a job that nothing happened to, every event told once.
 */
import { createHash } from 'node:crypto'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChatServer, PARIS } from '../support/chat-server.js'
import { demoModel } from '../support/demo-model.js'
import { isAlive, processBelow, signal } from '../support/processes.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

const STEPS = 120
const BATCHES = 4
const BATCH = 8
const WORKER = 'trainer-worker'
const INFERENCE = 'inference-worker'
const NODE = 'heddle_model_server serve'
const REDIS = 'redis-server'
/** And all that runs below it, the store too. */
const SERVICE = 'the service'
/**
 * Each at a step of its own, far enough from the next one and from the end that the job is under way, and in an attempt of
 * its own: the job loses its worker, its node, and both with the service; without Redis for a moment it goes on.
 */
const KILLS = [WORKER, NODE, REDIS, SERVICE].map((victim, i) => ({
  victim,
  step: 5 + 25 * i + Math.floor(Math.random() * 15),
  attempt: [1, 2, 3, 3][i]!,
}))

const line = (i: number) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: `What is pattern ${i % 5}?` },
      { role: 'assistant', content: 'It is woven under and over, under and over. '.repeat(1 + (i % 5)) },
    ],
  })
// The seed comes of the data and the step: two models that begin with the same data come to the same weights.
const data = `data:,${encodeURIComponent(Array.from({ length: BATCH * BATCHES }, (_, i) => line(i)).join('\n'))}`

const saving = { HEDDLE_TRAINING_SAVE_STEPS: '4' }
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

interface Event {
  id: string
  type: string
  data: Record<string, number>
}

interface Page<T> {
  data: T[]
  has_more: boolean
}

/** A GET; with a body, a POST. */
async function answerOf(path: string, body?: object): Promise<Response> {
  const answer = await fetch(`${chat.url}/v1/preview${path}`, {
    headers: chat.authorization,
    signal: AbortSignal.timeout(10_000),
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

async function ask<T>(path: string, body?: object): Promise<T> {
  return (await (await answerOf(path, body)).json()) as T
}

async function begin(name: string): Promise<{ model: string; job: string }> {
  const wanted = { entity: 'acme', project: 'kills', name, base_model: 'demo' }
  const { id: model } = await ask<{ id: string }>('/models', wanted)
  const config = { batch_size: BATCH, learning_rate: 1e-3, epochs: STEPS / BATCHES }
  const { id: job } = await ask<Job>('/sft-training-jobs', {
    model_id: model,
    training_data_url: data,
    config,
  })
  return { model, job }
}

/** Waits for what `probe` finds; if it doesn't come, fails with all that is known of the job. */
async function waited<T>(id: string, what: string, probe: () => Promise<T | false>): Promise<T> {
  try {
    // A look takes the store statements, and there are several steps between two.
    return await until(what, probe, 90, 150)
  } catch (error) {
    const known = await Promise.all([`/${id}`, `/${id}/logs?limit=100`].map(said))
    throw new Error([error, JSON.stringify(KILLS), ...known, server.output.slice(-4_000)].join('\n'))
  }
}

const said = (path: string) => ask(`/training-jobs${path}`).then((answer) => JSON.stringify(answer), String)

const isOpen = ({ status }: Job) => ['queued', 'running'].includes(status)

/** Waits until the job has made so many steps in this attempt or a later one, or is over. */
const reached = (id: string, steps: number, attempt = 1) =>
  waited(id, `step ${steps} of attempt ${attempt}`, async () => {
    const job = await ask<Job>(`/training-jobs/${id}`)
    return ((job.steps_done >= steps && job.attempt >= attempt) || !isOpen(job)) && job
  })

/** Waits until the job is over. After its last event its checkpoint is there. */
async function over(model: string, id: string): Promise<Job> {
  const checkpoints = await waited(id, 'the last event', async () => {
    const { data } = await ask<Page<Event>>(`/training-jobs/${id}/events?after=${id}-${STEPS + 1}`)
    const there = data.length > 0 || !isOpen(await ask<Job>(`/training-jobs/${id}`))
    return there && (await ask<Page<{ step: number }>>(`/models/${model}/checkpoints`)).data
  })
  expect(checkpoints.map(({ step }) => step)).toEqual([1])
  return reached(id, Number.POSITIVE_INFINITY)
}

async function kill(victim: string): Promise<void> {
  if (victim !== SERVICE) {
    const pid = processBelow(server.pid, victim)
    signal(pid, 'SIGKILL')
    await until(`${victim} to be gone`, () => !isAlive(pid))
    return
  }
  const { dataDir, ports } = server
  await server.kill()
  const { port } = new URL(chat.url)
  const env = { ...saving, HEDDLE_CHAT: 'true', HEDDLE_MODEL: demoModel(), HEDDLE_TRAINING_PORT: port }
  server = await Server.start({ dataDir, ports, env })
}

async function eventsOf(id: string): Promise<Event[]> {
  const all: Event[] = []
  for (let after = ''; ; after = `&after=${all.at(-1)!.id}`) {
    const page = await ask<Page<Event>>(`/training-jobs/${id}/events?limit=50${after}`)
    all.push(...page.data)
    if (!page.has_more) return all
  }
}

/** What the events say, but for what was measured. */
const content = (events: Event[]) =>
  events.map(({ type, data }) => {
    const names = Object.keys(data).filter((name) => !/^(tokens_per_second|performance\/)/.test(name))
    return { type, ...Object.fromEntries(names.map((name) => [name, data[name]])) }
  })

/** The hash of the weights that a model's first checkpoint has. */
async function weightsOf(model: string): Promise<string> {
  const answer = await answerOf(`/models/${model}/checkpoints/1/download`)
  const tar = extract()
  tar.end(Buffer.from(await answer.arrayBuffer()))
  let found = ''
  for await (const entry of tar) {
    const hash = createHash('sha256')
    for await (const piece of entry) hash.update(piece as Uint8Array)
    if (entry.header.name.endsWith('adapter_model.safetensors')) found = hash.digest('hex')
  }
  expect(found).not.toBe('')
  return found
}

it('ends as if nothing had happened', { timeout: 400_000 }, async () => {
  const calm = await begin('calm')
  expect(await over(calm.model, calm.job)).toMatchObject({
    status: 'completed',
    attempt: 1,
    steps_done: STEPS,
  })
  const killed = await begin('killed')
  for (const { victim, step, attempt } of KILLS) {
    const before = `at the death of ${victim}, planned for step ${step}`
    expect(await reached(killed.job, step, attempt), before).toMatchObject({ status: 'running' })
    await kill(victim)
  }
  const end = await over(killed.model, killed.job)
  expect(end).toMatchObject({ status: 'completed', steps_done: STEPS, error_message: null })
  expect(end.attempt).toBeGreaterThanOrEqual(4)
  const [undisturbed, events] = [await eventsOf(calm.job), await eventsOf(killed.job)]
  expect(events.map(({ type }) => type)).toEqual([
    'training_started',
    ...Array(STEPS).fill('gradient_step'),
    'training_ended',
  ])
  // The number between the last step and the end is the checkpoint's, which callers don't see.
  const numbers = [...Array.from({ length: STEPS + 1 }, (_, i) => i + 1), STEPS + 3]
  expect(events.map(({ id }) => id)).toEqual(numbers.map((number) => `${killed.job}-${number}`))
  expect(content(events)).toEqual(content(undisturbed))
  expect(await weightsOf(killed.model)).toBe(await weightsOf(calm.model))
})

const BATCH_LINES = 400

it('a batch answers each line once, whatever is killed', { timeout: 300_000 }, async () => {
  const api = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const answer = await fetch(`${chat.url}/v1${path}`, {
      ...init,
      headers: chat.authorization,
      signal: AbortSignal.timeout(10_000),
    })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const ids = Array.from({ length: BATCH_LINES }, (_, i) => `line-${i}`)
  const messages = [{ role: 'user', content: 'What is the capital of France?' }]
  const body = { model: 'demo', messages, max_tokens: 24, temperature: 0 }
  const content = ids.map((custom_id) =>
    JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body }),
  )
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', new Blob([content.join('\n')]), 'lines.jsonl')
  const file = await api<{ id: string }>('/files', { method: 'POST', body: form })
  const asked = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' }
  const { id } = await api<{ id: string }>('/batches', { method: 'POST', body: JSON.stringify(asked) })
  interface Batch {
    status: string
    output_file_id: string
    error_file_id: string | null
    request_counts: { completed: number }
  }
  const look = () => api<Batch>(`/batches/${id}`)
  const past = (count: number) =>
    until(
      `${count} answers`,
      () =>
        look().then(
          (batch) => batch.request_counts.completed >= count && batch,
          () => false as const,
        ),
      90,
    )
  for (const [i, victim] of [INFERENCE, NODE, REDIS, SERVICE].entries()) {
    expect(await past(20 + 80 * i), victim).toMatchObject({ status: 'in_progress' })
    await kill(victim)
  }
  const batch = await past(BATCH_LINES)
  const done = await until('its end', async () => {
    const found = await look()
    return found.status === 'completed' && found
  })
  expect([batch.error_file_id, done.error_file_id]).toEqual([null, null])
  const answer = await fetch(`${chat.url}/v1/files/${done.output_file_id}/content`, {
    headers: chat.authorization,
  })
  const lines = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Line)
  expect(lines.map(({ custom_id }) => custom_id)).toEqual(ids)
  for (const one of lines) expect(one.response.body.choices[0]!.message.content).toBe(PARIS)
})

interface Line {
  custom_id: string
  response: { body: { choices: { message: { content: string } }[] } }
}
