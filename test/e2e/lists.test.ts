/**
 * Lists beside writes, held equal to what was acknowledged: spans are sent again with other contents and deleted while they
 * inherit what their root says, and each list in between holds each span once, neither older than what was acknowledged
 * before it nor newer than what was sent by its end.
 */
import { beforeAll, expect, it } from 'vitest'
import { freshProject } from '../support/ids.js'
import { exportRequest, inProject } from '../support/otlp.js'
import { retryingWhenBusy } from '../support/retry-after.js'
import { rounds } from '../support/rounds.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { until } from '../support/until.js'

const SPANS = 200
const WRITERS = 4
const SEED = Number(process.env.HEDDLE_LISTS_SEED ?? Date.now() % 1e9)

let server: SharedServer
beforeAll(async () => {
  server = await sharedServer()
})

/** What is known of a span: the version that was sent, and the one that was acknowledged; -1: none. */
interface Known {
  sent: number
  acknowledged: number
  deleting: boolean
  deleted: boolean
}

/** Numbers from 0 to 1, the same for a seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const idOf = (n: number) => (n + 1).toString(16).padStart(16, '0')
const START = 1_780_000_000_000_000_000n

it(`lists are what was written, seed ${SEED}`, async () => {
  const project = freshProject()
  const known = Array.from(
    { length: SPANS },
    (): Known => ({
      ...{ sent: -1, acknowledged: -1, deleting: false, deleted: false },
    }),
  )
  const send = async (numbers: readonly number[]) => {
    const versions = numbers.map((n) => ++known[n]!.sent)
    const spans = numbers.map((n, i) => ({
      ...{ traceId: 'ab'.repeat(16), spanId: idOf(n), start: START + BigInt(n), end: START + 1000n },
      ...(n > 0 && { parentId: idOf(0) }),
      attributes: { 'input.value': `version ${versions[i]}`, ...(n === 0 && { 'session.id': 'talk' }) },
    }))
    const body = exportRequest({ attributes: inProject(project), spans })
    const headers = { 'content-type': 'application/x-protobuf' }
    const { status } = await retryingWhenBusy(() => server.api.post('/otel/v1/traces', body, headers))
    expect(status).toBe(200)
    for (const [i, n] of numbers.entries()) known[n]!.acknowledged = versions[i]!
  }
  const remove = async (n: number) => {
    known[n]!.deleting = true
    await server.api.ok('/calls/delete', { project_id: project, call_ids: [idOf(n)] })
    known[n]!.deleted = true
  }
  const list = async () => {
    const rows = await server.api.calls(project, { columns: ['id', 'inputs', 'thread_id'] })
    return rows.map(({ id, inputs, thread_id }) => {
      const [, version] = /version (\d+)/.exec(JSON.stringify(inputs)) ?? []
      return { n: Number.parseInt(String(id), 16) - 1, version: Number(version), thread_id }
    })
  }
  let lists = 0
  /** A list, between what was known before it and after it. */
  const compare = async () => {
    const before = known.map((one) => ({ ...one }))
    const rows = await list()
    lists++
    const found = new Map(rows.map(({ n, version }) => [n, version]))
    expect(found.size, 'each is listed once').toBe(rows.length)
    const wrong = known.flatMap(({ sent, deleting }, n) => {
      const version = found.get(n)
      const { acknowledged, deleted } = before[n]!
      const isRight =
        version === undefined
          ? deleting || acknowledged < 0
          : !deleted && version >= acknowledged && version <= sent
      return isRight ? [] : [{ n, version, acknowledged, sent, deleting, deleted }]
    })
    expect(wrong).toEqual([])
  }

  // Those below come first, and inherit when their root is there.
  const all = Array.from({ length: SPANS }, (_, n) => n)
  await send(all.slice(1))
  const writer = async (own: readonly number[], random: () => number) => {
    for (let i = 0; i < rounds(8, 40); i++) {
      const live = own.filter((n) => !known[n]!.deleting)
      const n = live[Math.floor(random() * live.length)]!
      // The root stays: what is deleted goes with those below it.
      if (n > 0 && i !== 2 && random() < 0.1 && live.length > 10) await remove(n)
      // The root is sent, whatever the seed.
      else await send(random() < 0.2 || i === 2 ? live.slice(0, 5) : [n])
    }
  }
  let writing = true
  const writers = Array.from({ length: WRITERS }, (_, w) =>
    writer(
      all.filter((n) => n % WRITERS === w),
      randomOf(SEED + w),
    ),
  )
  const reader = async () => {
    while (writing) await compare()
  }
  const readers = [reader(), reader()]
  await Promise.all(writers).finally(() => {
    writing = false
  })
  await Promise.all(readers)
  expect(lists).toBeGreaterThan(1)

  const left = all.filter((n) => !known[n]!.deleted)
  const expected = left.map((n) => ({ n, version: known[n]!.sent, thread_id: 'talk' }))
  const sorted = async () => (await list()).sort((a, b) => a.n - b.n)
  await until(
    'all to inherit',
    async () => (await sorted()).every(({ thread_id }) => thread_id === 'talk'),
    180,
  )
  expect(await sorted()).toEqual(expected)
})
