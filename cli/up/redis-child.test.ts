import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openLog } from '../../platform/telemetry/log.js'
import { type RedisChild, startRedis } from './redis-child.js'

let dataDir = ''
let redis: RedisChild | undefined
const log = openLog({ level: 'silent', format: 'text', role: 'test' })
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-redis-child-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await redis?.stop()
  redis = undefined
  rmSync(dataDir, { recursive: true, force: true })
})

async function ask<T>(work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(redis!.url)
  try {
    return await work(client)
  } finally {
    client.disconnect()
  }
}

/** Starts it, has it write something down, stops it, and writes `bytes` into the middle of that. */
async function spoiled(bytes: string): Promise<void> {
  redis = await startRedis(dataDir, log)
  await ask(async (client) => {
    for (let n = 0; n < 100; n++) await client.set(`key ${n}`, 'value')
  })
  await redis.stop()
  const folder = join(dataDir, 'redis/appendonlydir')
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.incr.aof'))!)
  const text = readFileSync(file, 'latin1')
  writeFileSync(file, text.slice(0, 1000) + bytes + text.slice(1000 + bytes.length), 'latin1')
}

it('has what it was told before it was stopped', async () => {
  redis = await startRedis(dataDir, log)
  await ask((client) => client.set('a', '1'))
  await redis.stop()
  redis = await startRedis(dataDir, log)
  expect(await ask((client) => client.get('a'))).toBe('1')
})

it.each(['*3\r\nnonsense', '\0'.repeat(300)])(
  'starts empty over a log that it can not read, says so, and keeps that',
  async (bytes) => {
    await spoiled(bytes)
    const warn = vi.spyOn(log, 'warn')
    redis = await startRedis(dataDir, log)
    expect(await ask((client) => client.dbsize())).toBe(0)
    const aside = readdirSync(join(dataDir, 'redis')).filter((name) =>
      name.startsWith('appendonlydir.spoiled-'),
    )
    expect(aside).toHaveLength(1)
    expect(warn).toHaveBeenCalledWith(
      { path: join(dataDir, 'redis', aside[0]!) },
      expect.stringContaining('starts empty'),
    )
  },
)

it('says what is missing where there is no redis-server', async () => {
  vi.stubEnv('PATH', dataDir)
  await expect(startRedis(dataDir, log)).rejects.toThrow('redis-server is not on the PATH')
})

it('says what it said where it does not come up', async () => {
  writeFileSync(join(dataDir, 'redis-server'), '#!/bin/sh\necho no such option; exit 1\n', { mode: 0o755 })
  vi.stubEnv('PATH', `${dataDir}:${process.env.PATH}`)
  await expect(startRedis(dataDir, log, 1000)).rejects.toThrow(/does not start in .*no such option/)
})
