/**
 * Every operation of the tracing interface, by the table of operations: an invalid request is refused as the contract
 * says, and a valid one of somebody who may not; neither changes anything. A valid one is answered as the contract says,
 * and its effect is read back. Nobody harms the others by going away in the middle: the same processes answer afterwards.
 *
 * One project an operation for all of this: storing what its requests need, and reading everything before and
 * afterwards, is most of what these tests cost.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, jsonLines } from '../support/api.js'
import { freshProject, hex } from '../support/ids.js'
import { descendants, isAlive } from '../support/processes.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { checkAnswer, faultsOf, faultsOfAnswer, operationsOfContract } from './contract.js'
import { leaveWithin } from './leavers.js'
import { Strangers } from './strangers.js'
import { wrongBodies } from './table/bodies.js'
import { contentsOf } from './table/contents.js'
import { nameOf, type Refused, send, type World } from './table/operation.js'
import { besides, beyondContract, table } from './table/table.js'

let server: SharedServer
let processes: number[]
let strangers: Strangers
beforeAll(async () => {
  server = await sharedServer()
  processes = descendants(server.pid)
  strangers = await Strangers.of(server)
})

function freshWorld(): World {
  return { api: server.api, project: freshProject(), secret: `secret-${hex(6)}` }
}

describe('the table', () => {
  const names = table.map(nameOf)

  it('has every operation of the contract, once', () => {
    expect([...names].sort()).toEqual([...operationsOfContract].sort())
  })

  it('is what the server says that it serves', async () => {
    const { paths } = JSON.parse((await server.api.get('/openapi.json')).text) as {
      paths: Record<string, object>
    }
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(served.sort()).toEqual([...names, ...beyondContract.map(nameOf), ...besides].sort())
  })
})

describe.each([...table, ...beyondContract].map((row) => [nameOf(row), row] as const))('%s', (name, row) => {
  it('refuses what is wrong and who may not, and then has changed nothing; does what it should; outlives who leaves', async () => {
    const world = freshWorld()
    const { invalid, valid, effect } = await row.make(world)
    const before = await contentsOf(world)
    for (const refused of invalid) {
      const api = refused.anonymous ? world.api.as(null) : world.api
      checkRefusal(refused, await send(api, row, world.project, refused))
    }
    for (const { why, sent, status } of wrongBodies(row, valid)) {
      const answer = await send(world.api, row, world.project, sent)
      checkAnswer(why, answer)
      expect([why, answer.status]).toEqual([why, status ?? expect.toSatisfy((code: number) => code >= 400)])
    }
    const seen = await strangers.ask(row, world, valid)
    expect(await contentsOf(world)).toEqual(before)
    expect(seen).not.toContain(world.secret)

    const answer = await send(world.api, row, world.project, valid)
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
    if (operationsOfContract.includes(name))
      for (const value of valuesOf(answer)) expect(faultsOfAnswer(name, value)).toEqual([])
    await effect(answer)
    if (row.right === 'read' || row.right === 'key')
      await effect(await send(strangers.reader, row, world.project, valid))

    await leaveWithin(server, row, world.project, valid)
    expect((await server.api.get('/health')).status).toBe(200)
    expect([isAlive(server.pid), descendants(server.pid)]).toEqual([true, processes])
  })
})

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

it('no statement of any operation was without a caller', async () => {
  expect(await server.metric('heddle_store_seconds_count')).toBeGreaterThan(500)
  expect(await server.metric('heddle_store_statements_without_caller_total')).toBe(0)
})

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
