import { afterAll, expect, it } from 'vitest'
import type { ChatCompletionResponse } from '../common/contract/chat-answer.js'
import { TestRedisServers } from '../common/testing/redis-servers.js'
import { events, ScriptedNode } from '../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatStack } from './testing/chat-stack.js'

const servers = new TestRedisServers()
let stack: ChatStack | undefined
afterAll(async () => {
  await stack?.stop()
  await servers.stop()
})

it('chat over a cluster of Redis comes whole and in order', async () => {
  const words = Array.from({ length: 40 }, (_, i) => `word${i} `)
  const node = new ScriptedNode({ slots: 40 })
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
  stack = await ChatStack.start([node], { redisUrl: await servers.cluster() })
  const said = Array.from({ length: 30 }, async () => {
    const answer = await stack!.post('x')
    const { choices } = (await answer.json()) as ChatCompletionResponse
    return choices[0]?.message.content
  })
  expect(await Promise.all(said)).toEqual(Array(30).fill(words.join('')))
})
