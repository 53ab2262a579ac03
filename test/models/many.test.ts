/** A thousand callers at once, half of whom leave early: nothing is left behind, and memory is where it was. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChatServer } from '../support/chat-server.js'
import { residentBytes } from '../support/processes.js'
import { until } from '../support/until.js'

const CALLERS = 1000
const ask = {
  messages: [{ role: 'user', content: 'Count to five.' }],
  stream: true,
  ignore_eos: true,
  max_tokens: 12,
}
const MIB = 2 ** 20

let chat: ChatServer
let redis: Redis

beforeAll(async () => {
  chat = await ChatServer.start({
    env: {
      HEDDLE_CHAT_QUEUE_PER_KEY: '2000',
      HEDDLE_CHAT_QUEUE_PER_ENTITY: '2000',
      HEDDLE_LOG_LEVEL: 'warn',
    },
  })
  const config = readFileSync(join(chat.server.dataDir, 'redis/redis.conf'), 'utf8')
  const setting = (name: string) => new RegExp(`^${name} (\\S+)$`, 'm').exec(config)?.[1] ?? ''
  redis = new Redis({ port: Number(setting('port')), password: setting('requirepass') })
})
afterAll(async () => {
  redis?.disconnect()
  await chat?.dispose()
})

/** As the SDKs do: a connection that ended before there was an answer is tried once more. */
const post = (init: RequestInit) => chat.post(ask, init).catch(() => chat.post(ask, init))

/** All at once; the odd ones leave at their first word. @returns how many heard the end */
async function round(): Promise<number> {
  const heard = await Promise.all(
    Array.from({ length: CALLERS }, async (_, i) => {
      const leaving = new AbortController()
      const answer = await post({ headers: chat.authorization, signal: leaving.signal })
      expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, ''])
      if (i % 2 === 0) return (await answer.text()).trimEnd().endsWith('data: [DONE]')
      await answer.body?.getReader().read()
      leaving.abort()
      return false
    }),
  )
  return heard.filter(Boolean).length
}

/** What the service, the queue and the node still have of requests; '' if it is nothing. */
async function left(): Promise<string> {
  const check = await fetch(`${chat.url}/v1/system-check`, { headers: chat.authorization })
  const { checks } = (await check.json()) as Record<'checks', Record<string, { detail: string }>>
  // Of a queue that is empty, BullMQ keeps these.
  const all = await redis.keys('{heddle}:chat-*')
  const keys = all.filter((key) => !/:(meta|stalled-check|events|id|pc|marker)$/.test(key))
  expect(all.length).toBeGreaterThan(0)
  const said = [checks.queues?.detail ?? '', checks.inference?.detail ?? '', ...keys]
  const calm = [/^0 requests in flight here; demo: 0 waiting$/, /: 0 running, 0 waiting,/]
  return said.filter((line, i) => !calm[i]?.test(line)).join('\n')
}

/** Of the service and the worker, which hold what callers are told. */
const memory = () => residentBytes(chat.server.pid) + residentBytes(chat.processOf('inference-worker'))

it('leaves nothing behind', async () => {
  // The first of them warms everything up: pools, caches, compiled code.
  const sizes: number[] = []
  for (let i = 0; i < 3; i++) {
    expect(await round()).toBe(CALLERS / 2)
    await until('nothing to be left', async () => (await left()) === '', 60)
    sizes.push(memory())
  }
  const [, second = 0, third = 0] = sizes
  expect(third - second, sizes.map((bytes) => Math.round(bytes / MIB)).join()).toBeLessThan(64 * MIB)
})
