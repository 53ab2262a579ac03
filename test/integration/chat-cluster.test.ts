import { Queue } from 'bullmq'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChatCompletionResponse } from '../../contract/chat-answer.js'
import type { ChatJob, Failed } from '../../domain/chat/chat-job.js'
import { FRAME, unpackFrames } from '../../domain/chat/frames.js'
import { retryingConnection } from '../../platform/redis/connection.js'
import { answersChannel, chatQueueName, QUEUE_PREFIX } from '../../platform/redis/names.js'
import { TestRedisServers } from '../../platform/testing/redis-servers.js'
import { generateRequest } from '../../proto/heddle/node/v1/messages.js'
import { events, ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatStack } from './testing/chat-stack.js'

const servers = new TestRedisServers()
const node = new ScriptedNode({ slots: 40 })
let redisUrl = ''
let stack: ChatStack
beforeAll(async () => {
  redisUrl = await servers.cluster()
  stack = await ChatStack.start([node], { redisUrl })
})
afterAll(async () => {
  await stack?.stop()
  await servers.stop()
})

it('chat over a cluster of Redis comes whole and in order', async () => {
  const words = Array.from({ length: 40 }, (_, i) => `word${i} `)
  node.script = async (call) => {
    call.write(events.started())
    for (const [i, text] of words.entries()) {
      call.write(events.delta({ text, tokenIds: [i] }))
      await new Promise((resolve) => setImmediate(resolve))
    }
    call.write(events.delta({ finish: { reason: 'stop' } }))
    call.write(events.done(words.length))
    call.end()
  }
  const said = Array.from({ length: 30 }, async () => {
    const answer = await stack.post('x')
    const { choices } = (await answer.json()) as ChatCompletionResponse
    return choices[0]?.message.content
  })
  expect(await Promise.all(said)).toEqual(Array(30).fill(words.join('')))
})

it('work for a process that died ends, though a cluster tells nobody of it', async () => {
  let running = true
  // As long as anybody may want it.
  node.script = async (call) => {
    call.write(events.started())
    call.once('cancelled', () => {
      running = false
    })
    for (let i = 0; running; i++) {
      call.write(events.delta({ text: 'word ', tokenIds: [i] }))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const connection = retryingConnection(redisUrl)
  // Should it live after all.
  const listener = retryingConnection(redisUrl)
  const ends: string[] = []
  listener.on('messageBuffer', (_, message: Buffer) => {
    for (const { kind, payload } of unpackFrames(message))
      if (kind === FRAME.failed) ends.push((JSON.parse(Buffer.from(payload).toString()) as Failed).code)
  })
  await listener.subscribe(answersChannel('nobody'))
  const queue = new Queue(chatQueueName('scripted'), { connection, prefix: QUEUE_PREFIX })
  const job: ChatJob = {
    ...{ v: 1, api: 'nobody', request: 1, attempt: 0, deadline: Date.now() + 600_000, prefixes: [] },
    generate: Buffer.from(
      generateRequest.encode({ requestId: 'lost', chat: { messagesJson: '[{"content":"x"}]' } }),
    ).toString('base64'),
  }
  await queue.add('chat', job)
  await expect.poll(() => node.running, { timeout: 10_000 }).toBe(1)
  await expect.poll(() => node.running, { timeout: 30_000 }).toBe(0)
  await expect.poll(() => ends).toEqual(['CALLER_SILENT'])
  listener.disconnect()
  await queue.close()
  connection.disconnect()
}, 60_000)
