/**
 * Much at once, of any size: HEDDLE_LARGE_ROWS calls of a megabyte each, HEDDLE_LARGE_CALLS in one project (`make large`).
 * What is held and what it takes is printed; what is right is checked.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, complete, v2 } from '../support/calls.js'
import { heddle } from '../support/command.js'
import { freshProject } from '../support/ids.js'
import { exportRequest, inProject } from '../support/otlp.js'
import { residentBytes } from '../support/processes.js'
import { retryingWhenBusy } from '../support/retry-after.js'
import { Server } from '../support/server.js'

const ROWS = Number(process.env.HEDDLE_LARGE_ROWS ?? 24)
const CALLS = Number(process.env.HEDDLE_LARGE_CALLS ?? 20_000)
/** Sums over millions keep this process busy for seconds; it then sees first which connections were closed meanwhile. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Whatever the size. */
const limit = { timeout: 3_600_000 }

let server: Server
/** The most that the service and its engine held, in MB. */
const held = { service: 0, engine: 0 }
let sampling: NodeJS.Timeout
beforeAll(async () => {
  server = await Server.start()
  sampling = setInterval(() => {
    const megabytes = (pids: number[]) =>
      Math.round(pids.reduce((sum, pid) => sum + residentBytes(pid), 0) / 1e6)
    held.service = Math.max(held.service, megabytes([server.process.pid!]))
    held.engine = Math.max(held.engine, megabytes(server.ended ? [] : server.children()))
  }, 200)
})
afterAll(async () => {
  clearInterval(sampling)
  console.log(
    server.output
      .split('\n')
      .filter((line) => /"level":"(warn|error)"/.test(line))
      .slice(-20)
      .join('\n'),
  )
  console.log(`memory at most: service ${held.service} MB, engine ${held.engine} MB`)
  await server?.dispose()
})

/** Does work, and prints how long it took. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const done = await work()
  console.log(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  return done
}

/** Does work for 0 … count - 1, so many at a time. */
async function forEach(count: number, atOnce: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const line = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, line))
}

describe(`${ROWS} calls of a megabyte`, () => {
  const project = freshProject()
  const idOf = (n: number) => `wide-${n}`
  /** A megabyte that doesn't compress to nothing: 16 different kilobytes, in an order of its own. */
  const textOf = (n: number, version: number) => {
    const parts = Array.from({ length: 16 }, (_, i) =>
      createHash('sha512').update(`${n} ${version} ${i}`).digest('hex').repeat(8),
    )
    return Array.from({ length: 1000 }, (_, i) => parts[(i * 7 + (i >> 4)) % 16]).join('')
  }
  const write = (n: number, version: number) =>
    server.api.ok(v2(project, 'calls/complete'), {
      batch: [complete(project, { id: idOf(n), started_at: at(n), inputs: { text: textOf(n, version) } })],
    })
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

  it('are there once each, as they were sent last, in bounded memory', limit, async () => {
    await timed(`${ROWS} MB written`, () => forEach(ROWS, 4, (n) => write(n, 0)))
    // A tenth is sent again with other contents.
    await timed('a tenth written again', () => forEach(Math.ceil(ROWS / 10), 4, (n) => write(n * 10, 1)))
    const ids = (await server.api.calls(project, { columns: ['id'] })).map(({ id }) => id)
    expect(ids.sort()).toEqual(Array.from({ length: ROWS }, (_, n) => idOf(n)).sort())
    await timed(`${ROWS} MB read`, () =>
      forEach(Math.ceil(ROWS / 10), 1, async (page) => {
        const rows = await server.api.calls(project, { limit: 10, offset: page * 10, sort_by: ASCENDING })
        const found = rows.map(({ id, inputs }) => [id, hashOf((inputs as { text: string }).text)])
        const numbers = Array.from({ length: rows.length }, (_, i) => page * 10 + i)
        expect(found).toEqual(numbers.map((n) => [idOf(n), hashOf(textOf(n, n % 10 === 0 ? 1 : 0))]))
      }),
    )
    // Four requests of a megabyte are on their way at a time.
    expect(held.service).toBeLessThan(1500)
    expect(held.engine).toBeLessThan(2500)
  })
})

const ASCENDING = [{ field: 'started_at', direction: 'asc' }]

describe(`a project of ${CALLS} calls`, () => {
  const [project, other] = [freshProject(), freshProject()]
  const [ofTrace, ofRequest] = [100, 1000]
  const DAY = 86_400_000n
  const now = BigInt(Date.now()) * 1_000_000n
  const spanId = (n: number) => (n + 1).toString(16).padStart(16, '0')
  /** Every other trace is of two months ago. */
  const isOld = (n: number) => Math.floor(n / ofTrace) % 2 === 1
  const span = (n: number) => {
    const start = now - (isOld(n) ? 60n * DAY * 1_000_000n : 0n) + BigInt(n % ofTrace)
    const root = n - (n % ofTrace)
    return {
      ...{ traceId: (root + 1).toString(16).padStart(32, '0'), spanId: spanId(n), start, end: start + 1000n },
      ...(n !== root && { parentId: spanId(root) }),
      attributes: { 'input.value': `question ${n}`, 'gen_ai.usage.input_tokens': n % 50 },
    }
  }
  const send = async (to: string, count: number) => {
    const headers = { 'content-type': 'application/x-protobuf' }
    await forEach(count / ofRequest, 4, async (request) => {
      const spans = Array.from({ length: ofRequest }, (_, i) => span(request * ofRequest + i))
      const body = exportRequest({ attributes: inProject(to), spans })
      const { status } = await retryingWhenBusy(() => server.api.post('/otel/v1/traces', body, headers))
      expect(status).toBe(200)
    })
  }
  /** Whether exactly the spans that `holds` are there, with what they were asked. */
  const expectOnly = async (of: Server, holds: (n: number) => boolean) => {
    let expected = 0
    for (let n = 0; n < CALLS; n++) if (holds(n)) expected++
    expect(await of.api.count(project)).toBe(expected)
    const seen = new Set<string>()
    // Not all at once: this process has to hold them.
    const pages = 500_000
    for (let offset = 0; offset < CALLS; offset += pages) {
      await nextTurn()
      for (const { id } of await of.api.calls(project, {
        ...{ columns: ['id'], omit_other_columns: true, limit: pages, offset },
        sort_by: [...ASCENDING, { field: 'id', direction: 'asc' }],
      }))
        seen.add(String(id))
    }
    const lacking = Array.from({ length: CALLS }, (_, n) => n).filter((n) => seen.has(spanId(n)) !== holds(n))
    await nextTurn()
    expect([seen.size, lacking]).toEqual([expected, []])
    const asked = [0, ofTrace, CALLS - 1].filter(holds).map(spanId)
    const read = await of.api.calls(project, { filter: { call_ids: asked } })
    expect(read.map(({ id, inputs }) => [id, JSON.stringify(inputs)]).sort()).toEqual(
      asked.map((id) => [id, expect.stringContaining(`question ${Number.parseInt(id, 16) - 1}`)]).sort(),
    )
    expect(await of.api.count(other)).toBe(ofRequest)
  }

  it('is restored, kept for a month, and deleted, with no other', limit, async () => {
    await timed(`${CALLS} calls written`, () => send(project, CALLS))
    await send(other, ofRequest)
    await timed('listed', () => expectOnly(server, () => true))

    const folder = mkdtempSync(join(tmpdir(), 'heddle-large-'))
    const dataDir = join(folder, 'restored')
    try {
      await timed('backed up', () => server.cli('backup', join(folder, 'backup')))
      await timed('restored', () =>
        heddle(['restore', join(folder, 'backup')], { env: { HEDDLE_DATA_DIR: dataDir } }),
      )
      const restored = await timed('started', () => Server.start({ dataDir }))
      try {
        await expectOnly(restored, () => true)
        await restored.cli('retention', 'set', project, '30d')
        await timed('expired calls deleted', () => restored.cli('retention', 'run'))
        await expectOnly(restored, (n) => !isOld(n))
      } finally {
        await restored.dispose()
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }

    // A root is deleted with all below it.
    const roots = Array.from({ length: CALLS / ofTrace }, (_, n) => spanId(n * ofTrace))
    await timed('deleted', () =>
      forEach(Math.ceil(roots.length / 500), 1, (n) =>
        server.api.ok('/calls/delete', {
          project_id: project,
          call_ids: roots.slice(n * 500, (n + 1) * 500),
        }),
      ),
    )
    await expectOnly(server, () => false)
  })
})
