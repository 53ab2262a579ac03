import { Redis } from 'ioredis'
import { afterAll, expect, it } from 'vitest'
import { answersChannel, BEATS_CHANNEL, controlChannel } from '../../../platform/redis/names.js'
import { TestRedis } from '../../../platform/testing/redis.js'
import type { ChatJob } from '../chat-job.js'
import { FRAME, packFrames } from '../frames.js'
import { Dispatcher } from './dispatcher.js'

const redis = await TestRedis.start()
const dispatcher = new Dispatcher(redis.url, {
  waiting: { most: 10, perEntity: 10, perKey: 10 },
  returnMs: 60_000,
})
const [commands, listener] = [new Redis(redis.url), new Redis(redis.url)]
afterAll(async () => {
  await dispatcher.stop()
  commands.disconnect()
  listener.disconnect()
  await redis.stop()
})

/** What lies in the queue. */
async function queued(): Promise<ChatJob[]> {
  const keys = (await commands.keys('{heddle}:chat-*')).filter((key) => /:[\w-]+-\d+-\d+$/.test(key))
  const texts = await Promise.all(keys.map((key) => commands.hget(key, 'data')))
  return texts.map((text) => JSON.parse(text ?? '{}') as ChatJob)
}

it('a worker that falls silent is told that its work was given to another, should it live', async () => {
  const told: string[] = []
  listener.on('message', (_, text: string) => told.push(text))
  await listener.subscribe(controlChannel('silent'))
  dispatcher.start()
  await expect.poll(() => dispatcher.ready, { timeout: 10_000 }).toBe(true)
  const pending = await dispatcher.send({
    ...{
      model: 'm',
      submitter: { entity: 'acme', key: 'k', priority: 0, ranked: false },
      deadline: Date.now() + 60_000,
      prefixes: [],
    },
    generate: () => Buffer.from('x'),
  })
  const [job] = await queued()
  const frame = { request: job!.request, attempt: 0, kind: FRAME.accepted, seq: 0 }
  const payload = Buffer.from(JSON.stringify({ worker: 'silent' }))
  await commands.publish(BEATS_CHANNEL, JSON.stringify({ worker: 'silent', stopping: false, waiting: {} }))
  await commands.publish(answersChannel(job!.api), packFrames([{ ...frame, payload }]))
  await expect.poll(() => pending.worker).toBe('silent')
  await expect
    .poll(() => told.map((text) => JSON.parse(text).cancel), { timeout: 10_000 })
    .toEqual([[[1, 0]]])
  expect((await queued()).map(({ attempt }) => attempt)).toContain(1)
  pending.leave()
})
