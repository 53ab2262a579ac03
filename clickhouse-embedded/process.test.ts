/** The engine's process: who may start it, what outlives it, what a busy one still does. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './start.js'

let folder: string
const running: Embedded[] = []
const clients: ClickHouseClient[] = []

const begin = () => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-'))
}

const end = async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
  await Promise.all(running.splice(0).map((engine) => engine.stop()))
  rmSync(folder, { recursive: true, force: true })
}

async function start(options: Partial<EmbeddedOptions> = {}) {
  const engine = await startEmbedded({ dataDir: join(folder, 'data'), ...options })
  running.push(engine)
  const { url, username, password } = engine
  const client = createClient({ url, username, password, max_open_connections: 40, log: { level: 127 } })
  clients.push(client)
  return { engine, client }
}

const endless = 'SELECT count() FROM numbers(100000000000000) WHERE number % 7 = 3'
/** As long, and leaves the processor to others. */
const idle = `${endless} AND sleepEachRow(0.001) = 0 SETTINGS max_block_size = 100`

async function rows(client: ClickHouseClient, query: string): Promise<unknown[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json()
}

const isRunning = async (client: ClickHouseClient) =>
  (
    await rows(
      client,
      "SELECT query FROM system.processes WHERE query LIKE 'SELECT%number % 7%' AND query NOT LIKE '%system.processes%'",
    )
  ).length

describe('the process', () => {
  beforeEach(begin)
  afterEach(end)

  test('ends where one of its threads has crashed, since it answers nothing any more', async () => {
    const { engine, client } = await start()
    const deep = `concat(repeat('{"a":', 200000), '1', repeat('}', 200000))`
    const crash = expect(rows(client, `SELECT length(JSONMergePatch(${deep}, '{}'))`)).rejects.toThrow()
    // Whoever asks next finds it out.
    await vi.waitFor(() => expect(rows(client, 'SELECT 1')).rejects.toThrow(), { timeout: 50_000 })
    expect(await engine.exited).toEqual({ code: null, signal: 'SIGKILL' })
    await crash
  })

  test('comes back on the same port with the same password after kill -9, with every acknowledged row', async () => {
    const first = await start()
    await first.client.command({ query: 'CREATE TABLE t (a Int64, b String) ENGINE = MergeTree ORDER BY a' })
    let acknowledged = 0
    const b = 'x'.repeat(500)
    const insertForEver = async () => {
      for (let a = 0; ; a++) {
        await first.client.insert({
          table: 't',
          values: Array.from({ length: 100 }, () => ({ a, b })),
          format: 'JSONEachRow',
        })
        acknowledged = a + 1
        if (a === 20) process.kill(first.engine.pid, 'SIGKILL')
      }
    }
    await expect(insertForEver()).rejects.toThrow()
    expect(await first.engine.exited).toEqual({ code: null, signal: 'SIGKILL' })
    const { password, url } = first.engine
    const second = await start({ port: Number(new URL(url).port), password })
    expect(second.engine.url).toBe(url)
    const [found] = await rows(
      first.client,
      'SELECT uniqExactIf(a, n = 100) AS whole, countIf(n != 100) AS partial FROM (SELECT a, count() AS n FROM t GROUP BY a)',
    )
    expect(found).toMatchObject({ partial: 0 })
    expect((found as { whole: number }).whole).toBeGreaterThanOrEqual(acknowledged)
  })

  test('ends when its parent is killed', async () => {
    const built = new URL('../dist/clickhouse-embedded/start.js', import.meta.url).href
    const script = `import(${JSON.stringify(built)}).then(async ({ startEmbedded }) => {
      const engine = await startEmbedded({ dataDir: ${JSON.stringify(join(folder, 'data'))} })
      console.log(engine.pid)
    })`
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once('data', (text: Buffer) => resolve(Number(text.toString())))
    })
    expect(process.kill(pid, 0)).toBe(true)
    parent.kill('SIGKILL')
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 10_000 })
  })

  test('lets running queries finish when it is stopped', async () => {
    const { engine, client } = await start()
    const query = 'SELECT sleepEachRow(1) AS slept FROM numbers(3) SETTINGS max_block_size = 1'
    const asked = (await client.query({ query, format: 'JSONEachRow' })).stream()
    const slept: unknown[] = []
    let stopped: Promise<void> | undefined
    for await (const found of asked) {
      slept.push(...found.map((row) => row.json()))
      // Its first row came, so it runs.
      stopped ??= engine.stop()
    }
    expect(slept).toEqual([{ slept: 0 }, { slept: 0 }, { slept: 0 }])
    await stopped
    expect(await engine.exited).toEqual({ code: 0, signal: null })
  })

  test('rewrites parts of many columns side by side, in little memory', async () => {
    const { client } = await start({ maxMemoryBytes: 400 << 20 })
    const columns = Array.from({ length: 100 }, (_, n) => `c${n} String DEFAULT toString(a + ${n})`)
    // Parts stay as they are.
    const settings = 'SETTINGS min_bytes_for_wide_part = 0, max_bytes_to_merge_at_max_space_in_pool = 1'
    await client.command({
      query: `CREATE TABLE t (a UInt64, ${columns.join(', ')}) ENGINE = MergeTree ORDER BY a ${settings}`,
    })
    for (let part = 0; part < 8; part++)
      await client.command({ query: `INSERT INTO t (a) SELECT number + ${part} FROM numbers(10000)` })
    await client.command({ query: 'ALTER TABLE t DELETE WHERE a % 2 = 0 SETTINGS mutations_sync = 1' })
    expect(await rows(client, 'SELECT toUInt32(count()) AS n FROM t')).toEqual([{ n: 40000 }])
  })

  test('ends by itself when it is stopped as soon as it is up', async () => {
    const { engine } = await start()
    await engine.stop()
    expect(await engine.exited).toEqual({ code: 0, signal: null })
  })
})

describe('an engine that is up', () => {
  test('reads in several threads although its memory is small', async () => {
    const query = 'EXPLAIN PIPELINE SELECT sum(number) FROM numbers_mt(10000000) SETTINGS max_threads = 2'
    const steps = JSON.stringify(await rows(client, query))
    expect(steps).toContain('NumbersRange × 2')
  })

  let engine: Embedded
  let client: ClickHouseClient
  beforeAll(async () => {
    begin()
    const started = await start({ password: 'a-secret', sessions: 8 })
    engine = started.engine
    client = started.client
  })
  afterAll(end)

  test('refuses a folder that another one owns, and says so', async () => {
    await expect(startEmbedded({ dataDir: join(folder, 'data') })).rejects.toThrow(
      /Another process is using the data folder/,
    )
  })

  test('refuses a port that is taken, and says so', async () => {
    const port = Number(new URL(engine.url).port)
    await expect(startEmbedded({ dataDir: join(folder, 'other'), port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is taken`,
    )
  })

  test('keeps its password out of its command line', async () => {
    expect(readFileSync(`/proc/${engine.pid}/cmdline`, 'utf8')).not.toContain('a-secret')
    expect(readFileSync(`/proc/${engine.pid}/environ`, 'utf8')).not.toContain('a-secret')
  })

  test('stops the query of a client that goes away', async () => {
    for (const query of [endless, `SELECT (${endless})`]) {
      const away = new AbortController()
      const asked = client.query({ query, format: 'JSONEachRow', abort_signal: away.signal })
      const ended = expect(asked).rejects.toThrow()
      await vi.waitFor(async () => expect(await isRunning(client)).toBe(1), { timeout: 10_000 })
      away.abort()
      await ended
      await vi.waitFor(async () => expect(await isRunning(client)).toBe(0), { timeout: 10_000 })
    }
  })

  test('stops it too where the same text has been quick before', async () => {
    const ask = (n: string, signal?: AbortSignal) =>
      client.query({
        query: 'SELECT count() AS c FROM numbers({n:UInt64}) WHERE number % 7 = 3',
        query_params: { n },
        format: 'JSONEachRow',
        ...(signal && { abort_signal: signal }),
      })
    for (let i = 0; i < 3; i++) expect(await (await ask('10')).json()).toEqual([{ c: 1 }])
    const away = new AbortController()
    const ended = expect(ask('100000000000000', away.signal)).rejects.toThrow()
    await vi.waitFor(async () => expect(await isRunning(client)).toBe(1), { timeout: 10_000 })
    away.abort()
    await ended
    await vi.waitFor(async () => expect(await isRunning(client)).toBe(0), { timeout: 10_000 })
    expect(await (await ask('10')).json()).toEqual([{ c: 1 }])
  })

  test('stops the query of a reader that goes away in the middle of its result', async () => {
    const { stream } = await client.exec({
      query: "SELECT number, repeat('x', 100) FROM numbers(100000000000) WHERE number % 7 >= 0 FORMAT CSV",
    })
    await new Promise((resolve) => stream.once('data', resolve))
    expect(await isRunning(client)).toBe(1)
    stream.destroy()
    await vi.waitFor(async () => expect(await isRunning(client)).toBe(0), { timeout: 10_000 })
  })

  test('holds back for a slow reader', async () => {
    const { stream } = await client.exec({
      query:
        "SELECT number, repeat('x', 100) FROM numbers(100000000) SETTINGS max_block_size = 1000 FORMAT CSV",
    })
    await new Promise((resolve) => stream.once('data', resolve))
    stream.pause()
    const rss = async () => {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${engine.pid}/status`, 'utf8'))?.[1])
    }
    for (let i = 0; i < 20; i++) await rows(client, 'SELECT 1')
    expect(await rss()).toBeLessThan(600 * 1024)
    stream.destroy()
  })

  test('answers short queries and takes inserts while long ones run, and turns away what is too much', async () => {
    await client.command({ query: 'CREATE TABLE t (a Int64) ENGINE = MergeTree ORDER BY a' })
    const away = new AbortController()
    const long = [idle, `SELECT (${idle})`].map((query) =>
      client.query({ query, format: 'JSONEachRow', abort_signal: away.signal }).catch(() => 'away'),
    )
    await vi.waitFor(async () => expect(await isRunning(client)).toBe(2), { timeout: 10_000 })
    for (let i = 0; i < 5; i++) {
      await client.insert({ table: 't', values: [{ a: i }], format: 'JSONEachRow' })
      expect(await rows(client, 'SELECT count() AS n FROM t')).toEqual([{ n: i + 1 }])
    }
    const many = await Promise.allSettled(
      Array.from({ length: 130 }, () =>
        fetch(`${engine.url}/?query=SELECT%20sleep(0.1)`, {
          headers: { 'x-clickhouse-user': 'default', 'x-clickhouse-key': engine.password },
        }).then((response) => response.status),
      ),
    )
    const statuses = many.map((one) => (one.status === 'fulfilled' ? one.value : 0))
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    away.abort()
    expect(await Promise.all(long)).toEqual(['away', 'away'])
  })

  test('runs many at once without mixing up their results', async () => {
    const ask = async (i: number) => {
      const result = await client.query({
        query: 'SELECT {i:Int32} AS i, {s:String} AS s, number FROM numbers({n:Int32})',
        query_params: { i, s: `s${i}`, n: i % 50 },
        format: 'JSONEachRow',
      })
      expect(await result.json()).toEqual(
        Array.from({ length: i % 50 }, (_, number) => ({ i, s: `s${i}`, number })),
      )
    }
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 32 }, (_, i) => ask(round * 32 + i)))
  })
})
