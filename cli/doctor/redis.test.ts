/** What the doctor makes of a Redis: of real ones with good and bad settings, and of answers that are hard to bring about. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TestRedis } from '../../platform/testing/redis.js'
import { ChatStack } from '../../test/integration/testing/chat-stack.js'
import type { Finding } from './finding.js'
import { infoOf, redisFindings, settingsFindings } from './redis.js'

const NOWHERE = { nodes: undefined, trainNodes: undefined }
const GOOD = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction']
const brief = (findings: readonly Finding[]) => findings.map(({ name, state }) => `${state} ${name}`)

async function examined(settings: readonly string[]): Promise<Finding[]> {
  const redis = await TestRedis.start(settings)
  try {
    return await redisFindings(redis.url, 'it', NOWHERE)
  } finally {
    await redis.stop()
  }
}

describe('a Redis', () => {
  it('that loses nothing is well; that nobody works yet is said', async () => {
    const findings = await examined(GOOD)
    expect(brief(findings)).toEqual([
      'ok redis',
      'ok clock of Redis',
      'warn inference workers',
      'warn trainer workers',
      'warn evaluation workers',
      'warn node',
    ])
    for (const { state, todo } of findings) expect(todo !== undefined).toBe(state !== 'ok')
  })

  it('that forgets at a restart, and that throws jobs out, is named with what to do', async () => {
    const findings = await examined(['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'])
    expect(findings.filter(({ name }) => name === 'redis')).toMatchObject([
      {
        state: 'fail',
        text: expect.stringContaining('allkeys-lru'),
        todo: 'set maxmemory-policy noeviction',
      },
      { state: 'warn', text: expect.stringContaining('append-only'), todo: 'set appendonly yes' },
    ])
  })

  it('that is not there, or asks for a password, is one line', async () => {
    const redis = await TestRedis.start(['--requirepass', 'secret-of-redis'])
    const locked = await redisFindings(redis.url, 'it', NOWHERE)
    await redis.stop()
    const gone = await redisFindings(redis.url, 'it', NOWHERE)
    expect([brief(locked), brief(gone)]).toEqual([['fail redis'], ['fail redis']])
    expect(locked[0]?.text).toContain('NOAUTH')
    expect(gone[0]?.text).toContain('ECONNREFUSED')
  })
})

it('tells of a worker and its node', async () => {
  const stack = await ChatStack.start()
  try {
    const [node] = stack.nodes
    const findings = await redisFindings(stack.redis.url, 'it', { ...NOWHERE, nodes: node?.address })
    expect(findings.slice(2)).toMatchObject([
      { name: 'inference workers', state: 'ok', text: '1' },
      { name: 'trainer workers', state: 'warn' },
      { name: 'evaluation workers', state: 'warn' },
      { name: 'node', state: 'ok', text: expect.stringContaining(`${node?.address} serves`) },
    ])
    const elsewhere = await redisFindings(stack.redis.url, 'it', { ...NOWHERE, nodes: '127.0.0.1:9' })
    expect(elsewhere.find(({ text }) => text.startsWith('127.0.0.1:9 '))).toMatchObject({
      state: 'fail',
      text: '127.0.0.1:9 is not up, never seen',
    })
  } finally {
    await stack.stop()
  }
})

describe('settings', () => {
  const well = {
    redis_version: '7.2.4',
    role: 'master',
    maxmemory: '0',
    maxmemory_policy: 'noeviction',
    aof_enabled: '1',
    aof_last_write_status: 'ok',
    rdb_last_bgsave_status: 'ok',
  }
  const of = (more: object) => settingsFindings(new Map(Object.entries({ ...well, ...more })), 'it')

  it.each([
    ['all is well', {}, 'ok', 'Redis 7.2.4'],
    ['too old', { redis_version: '6.2.14' }, 'fail', '6.2.14'],
    ['a replica', { role: 'slave' }, 'fail', 'takes no writes'],
    ['eviction that has no bound to act on', { maxmemory_policy: 'volatile-lru' }, 'warn', 'volatile-lru'],
    ['eviction', { maxmemory: '1000', maxmemory_policy: 'volatile-lru' }, 'fail', 'volatile-lru'],
    ['nearly full', { maxmemory: '1000', used_memory: '950' }, 'warn', '95 %'],
    ['no file', { aof_enabled: '0' }, 'warn', 'append-only'],
    ['a disk that is full', { aof_last_write_status: 'err' }, 'fail', 'writing the append-only file'],
    ['a snapshot that failed', { rdb_last_bgsave_status: 'err' }, 'fail', 'snapshot'],
  ])('%s', (_, more, state, text) => {
    expect(of(more)).toMatchObject([{ state, text: expect.stringContaining(text) }])
  })

  it('whatever INFO says, there is something to say, and all but good news has something to do', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const findings = settingsFindings(infoOf(text), 'it')
        expect(findings.length).toBeGreaterThan(0)
        for (const { state, todo } of findings) expect(todo !== undefined).toBe(state !== 'ok')
      }),
    )
  })
})
