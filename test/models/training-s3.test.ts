/** Training where data, states and checkpoints lie in an S3-compatible store: nothing of a job is on the machine's disk. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChatServer } from '../support/chat-server.js'
import { modelServer, modelServerPython } from '../support/demo-model.js'
import { signal } from '../support/processes.js'
import { TrainingCaller } from '../support/training-caller.js'

const ASKED = 'What is a selvage?'
const SAID = 'It is the edge of the cloth.'
const STEPS = 150
const line = JSON.stringify({
  messages: [
    { role: 'user', content: ASKED },
    { role: 'assistant', content: SAID },
  ],
})

let store: ChildProcess
let chat: ChatServer
let caller: TrainingCaller
beforeAll(async () => {
  // The store of the model server's own tests.
  store = spawn(modelServerPython, [join(modelServer, 'tests/small_s3.py')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(createInterface({ input: store.stdout! }), 'line')) as [string]
  const env = {
    HEDDLE_ARTIFACTS: 's3://bucket/heddle',
    HEDDLE_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'me',
    AWS_SECRET_ACCESS_KEY: 'secret',
    HEDDLE_TRAINING_SAVE_STEPS: '10',
  }
  chat = await ChatServer.start({ env })
  caller = new TrainingCaller(`${chat.url}/v1/preview`, chat.server.key)
})
afterAll(async () => {
  await chat?.dispose()
  store?.kill()
})

async function filesOf(model: string, step: string): Promise<string[]> {
  const answer = await fetch(`${chat.url}/v1/preview/models/${model}/checkpoints/${step}/download`, {
    headers: chat.authorization,
  })
  expect(answer.status).toBe(200)
  const tar = extract()
  tar.end(Buffer.from(await answer.arrayBuffer()))
  const names: string[] = []
  for await (const entry of tar) {
    names.push(entry.header.name.replace(/^.*\//, ''))
    entry.resume()
  }
  return names.sort()
}

it('resumes from there, goes on from there, and is served from there', async () => {
  const model = await caller.model('far')
  const config = { batch_size: 1, learning_rate: 5e-3, epochs: STEPS }
  const { id } = await caller.sft(model, [line], config)
  expect(await caller.until(id, (job) => job.steps_done >= 12)).toMatchObject({ status: 'running' })
  signal(chat.processOf('heddle_model_server serve'), 'SIGKILL')
  const { events } = await caller.follow(id)
  expect(events.map(({ type }) => type)).toEqual([
    'training_started',
    ...Array(STEPS).fill('gradient_step'),
    'training_ended',
  ])
  const ended = await caller.until(id, () => false)
  expect(ended).toMatchObject({ status: 'completed', checkpoint_step: 1 })
  expect(ended.attempt).toBeGreaterThan(1)

  const next = await caller.sft(model, [line], { ...config, epochs: 2 })
  const { events: more } = await caller.follow(next.id)
  expect(more.at(-1)!.type).toBe('training_ended')
  // It goes on where the first one ended.
  expect(more[1]!.data.loss).toBeLessThan(0.1)

  for (const name of ['artifact:///acme/training/far:step1', 'artifact:///acme/training/far']) {
    const answer = await chat.post({
      model: name,
      messages: [{ role: 'user', content: ASKED }],
      temperature: 0,
      max_tokens: 24,
    })
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: SAID } }] })
  }
  for (const step of ['1', 'latest'])
    expect(await filesOf(model, step)).toEqual(
      expect.arrayContaining(['adapter_config.json', 'adapter_model.safetensors', 'manifest.json']),
    )
  const folder = join(chat.server.dataDir, 'artifacts')
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
})
