/**
 * Every operation of the tracing interface, by the table of operations: an invalid request is refused as the contract
 * says, and a valid one of somebody who may not; neither changes anything. Nothing that a request may hold makes the
 * service fall over, whatever is wrong in type, name or depth. A valid one, compressed or not, is answered as the contract
 * says, and its effect is read back. Nobody harms the others by going away in the middle: the same processes answer
 * afterwards.
 *
 * Two projects for all of this: one of some groups, for what changes nothing and for what is wrong, and one of an operation
 * alone, for its effect. Storing what requests need, and reading everything before and afterwards, is most of what these
 * tests cost.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, dig, jsonLines } from '../support/api.js'
import { freshProject, hex } from '../support/ids.js'
import { descendants, isAlive, processBelow } from '../support/processes.js'
import { RedisProcess } from '../support/redis.js'
import { rounds } from '../support/rounds.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'
import { checkAnswer, faultsOf, faultsOfAnswer, operationsOfContract } from './contract.js'
import { sendAll, wrongOnes, wrongQueries } from './hostile.js'
import { leaveWithin } from './leavers.js'
import { Roles } from './roles.js'
import { Strangers } from './strangers.js'
import { SECRETS } from './table/alerts.js'
import { compressed, takesBody, wrongBodies } from './table/bodies.js'
import { contentsOf } from './table/contents.js'
import { type Case, nameOf, type Operation, type Refused, send, type World } from './table/operation.js'
import { besides, beyondContract, groups, table } from './table/table.js'

let redis: RedisProcess
let server: Server
let processes: number[]
let strangers: Strangers
let roles: Roles
let description: unknown
beforeAll(async () => {
  redis = await RedisProcess.start()
  server = await Server.start({ env: { REDIS_URL: redis.url, ...SECRETS } })
  // It is started after the server is ready.
  await until('the worker', () => processBelow(server.pid, 'evaluation-worker'))
  processes = [server.pid, ...descendants(server.pid)]
  strangers = await Strangers.of(server)
  roles = await Roles.of(server, 'acme')
  description = JSON.parse((await server.api.get('/openapi.json')).text)
})
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
})

function freshWorld(project = freshProject()): World {
  return { api: server.api, project, secret: `secret-${hex(6)}` }
}

describe('the table', () => {
  const names = table.map(nameOf)

  it('has every operation of the contract, once', () => {
    const ofContract = names.filter((name) => operationsOfContract.includes(name))
    expect(ofContract.sort()).toEqual([...operationsOfContract].sort())
  })

  it('is what the server says that it serves', () => {
    expect(served().sort()).toEqual([...names, ...beyondContract.map(nameOf), ...besides].sort())
  })
})

/**
 * How bodies are sent of which the effect is read back. They are inflated before a route sees them, so what a
 * compressed one does, the same one does as it is, which each operation also answers; `make soak` tries both.
 */
const ENCODINGS = rounds(1) > 1 ? ['compressed', 'as it is'] : ['compressed']

type Tried = Case & { world: World }

async function triedIn(world: World, row: Operation): Promise<Tried> {
  return { world, ...(await row.make(world)) }
}

const rowsOf = (group: readonly Operation[]) => group.map((row) => [nameOf(row), row] as const)

/** Most operations that share projects. */
const TOGETHER = 30

/** Groups, some of them together: a project is read whole several times, however little is tried in it. */
function together(all: [name: string, group: readonly Operation[]][]): [string, readonly Operation[]][] {
  const packed: [string, readonly Operation[]][] = []
  for (const [name, group] of all) {
    const [names, others] = packed.at(-1) ?? ['', []]
    const fits = others.length > 0 && others.length + group.length <= TOGETHER
    if (fits) packed.pop()
    packed.push(fits ? [`${names}, ${name}`, [...others, ...group]] : [name, group])
  }
  return packed
}

describe.each(together([...Object.entries(groups), ['beyond the contract', beyondContract]]))(
  '%s',
  (_, group) => {
    /** What each operation needs, in the project that all of these share, each with a secret of its own. */
    const cases = new Map<Operation, Tried>()
    let shared: World
    let before: Record<string, unknown>
    let own: World
    /** of operations by which the stranger may not have come to know them */
    const kept: string[] = []
    beforeAll(async () => {
      shared = freshWorld()
      await roles.welcome(shared.project)
      own = { api: strangers.stranger, project: freshProject('globex'), secret: '' }
      // Few at a time: those that change one object wait for each other.
      const rows = [...group]
      while (rows.length > 0)
        await Promise.all(
          rows
            .splice(0, 8)
            .map(async (row) => cases.set(row, await triedIn(freshWorld(shared.project), row))),
        )
      before = await contentsOf(shared)
    })

    it.each(rowsOf(group))('%s refuses what is wrong and who may not', async (_name, row) => {
      const { world, invalid, valid } = cases.get(row)!
      for (const refused of invalid) {
        const api = refused.anonymous ? world.api.as(null) : world.api
        checkRefusal(refused, await send(api, row, world.project, refused))
      }
      for (const { why, sent, status } of wrongBodies(row, valid)) {
        const answer = await send(world.api, row, world.project, sent)
        checkAnswer(why, answer)
        expect([why, answer.status]).toEqual([why, status ?? expect.toSatisfy((code: number) => code >= 400)])
      }
      await roles.refuses(row, world, valid)
      if (!(await strangers.ask(row, world, valid, own))) kept.push(world.secret)
    })

    it('has changed nothing by that, and shown nothing to strangers', async () => {
      expect(await contentsOf(shared)).toEqual(before)
      const seen = JSON.stringify(await contentsOf(own))
      expect(kept.filter((secret) => seen.includes(secret))).toEqual([])
    })

    it.each(rowsOf(group))('%s answers, and withstands wrong values in every place', async (name, row) => {
      const { world, valid } = cases.get(row)!
      checkSuccess(name, await send(world.api, row, world.project, valid))
      await roles.admits(row, world, valid)
      const queries =
        takesBody(row) && /quer|usage|facets|stats$/.test(row.path)
          ? wrongQueries(valid, fieldsRead(row))
          : []
      await sendAll(world, row, [...wrongOnes(valid), ...queries])
    })

    it('reads well after that', async () => {
      await contentsOf(shared)
    })

    describe.each(ENCODINGS)('in a project of its own, %s', (encoding) => {
      const alone = new Map<Operation, Tried>()
      beforeAll(async () => {
        await Promise.all(group.map(async (row) => alone.set(row, await triedIn(freshWorld(), row))))
      })

      it.each(rowsOf(group))('%s does what it should, and outlives who leaves', async (name, row) => {
        const { world, valid, effect } = alone.get(row)!
        const sent = encoding === 'compressed' && takesBody(row) ? compressed(valid) : valid
        const answer = await send(world.api, row, world.project, sent)
        checkSuccess(name, answer)
        await effect(answer)
        if (row.right === 'read' || row.right === 'key')
          await effect(await send(strangers.reader, row, world.project, valid))

        await leaveWithin(server, row, world.project, valid)
        expect((await server.api.get('/health')).status).toBe(200)
        expect(processes.filter((pid) => !isAlive(pid))).toEqual([])
      })
    })
  },
)

describe.each([
  ['/files/create', 'POST /file/create'],
  ['/files/content', 'POST /file/content'],
  ['/files/stats', 'POST /files/query_stats'],
])('%s, as older clients name it', (path, name) => {
  it(`is ${name}, with its rights`, async () => {
    const world = freshWorld()
    const row = { ...table.find((one) => nameOf(one) === name)!, path }
    const { valid, effect } = await row.make(world)
    expect((await send(world.api.as(null), row, world.project, valid)).status).toBe(401)
    await effect(await send(world.api, row, world.project, valid))
  })
})

it('all other routes refuse who lacks the right, too', async () => {
  const world = freshWorld()
  await roles.welcome(world.project)
  const start = { project_id: world.project, op_name: world.secret, inputs: {}, attributes: {} }
  await world.api.ok('/call/start', { start: { ...start, started_at: '2026-01-01T00:00:00Z' } })
  const known = [...table, ...beyondContract].map(nameOf)
  const others = await roles.refusesOthers(known, world)
  expect(others).toBeGreaterThan(besides.length / 2)
})

it('no statement of any operation was without a caller', async () => {
  expect(await server.metric('heddle_store_seconds_count')).toBeGreaterThan(500)
  expect(await server.metric('heddle_store_statements_without_caller_total')).toBe(0)
})

/** The operations that the server says that it serves, as `METHOD /path`. */
function served(): string[] {
  const { paths } = description as { paths: Record<string, object> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

/** The top-level fields that an operation reads, as the server says. */
function fieldsRead({ method, path }: Operation): Set<string> {
  const asked = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema']
  const schema = dig(description, ...asked)
  const name = String(dig(schema, '$ref')).split('/').at(-1) ?? ''
  const { properties } = (dig(description, 'components', 'schemas', name) ?? schema) as {
    properties?: object
  }
  return new Set(Object.keys(properties ?? {}))
}

/** A 200, of values as the contract has them. */
function checkSuccess(name: string, answer: Answer): void {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
  if (operationsOfContract.includes(name))
    for (const value of valuesOf(answer)) expect(faultsOfAnswer(name, value)).toEqual([])
}

/** The JSON values of an answer: one, or one a line; none of bytes. */
function valuesOf({ headers, text }: Answer): unknown[] {
  const type = String(headers['content-type'])
  if (/jsonl|ndjson/.test(type)) return jsonLines(text)
  return type.startsWith('application/json') ? [JSON.parse(text)] : []
}

/** The statuses and bodies of contract §11. */
function checkRefusal({ why, status, at }: Refused, answer: Answer): void {
  expect([why, answer.status, answer.text]).toEqual([why, status, answer.text])
  expect(String(answer.headers['content-type'])).toMatch(/^application\/json/)
  const body = JSON.parse(answer.text) as { reason?: unknown; detail?: { loc: string[] }[] }
  if (at === undefined) expect([why, body.reason]).toEqual([why, expect.stringMatching(/\w/)])
  else {
    expect(faultsOf('HTTPValidationError', body)).toEqual([])
    expect([why, body.detail?.map(({ loc }) => loc.join('.'))]).toEqual([why, expect.arrayContaining([at])])
  }
}
