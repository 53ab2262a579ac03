/**
 * Nothing that a request may hold makes the service fall over: every operation of the table is sent with wrong
 * types, wrong names and wrong depths. The answer is one of those that the contract names, never a
 * 5xx, and the project reads well afterwards.
 */
import { afterAll, beforeAll, describe, it } from 'vitest'
import { dig } from '../support/api.js'
import { freshProject, hex } from '../support/ids.js'
import { RedisProcess } from '../support/redis.js'
import { Server } from '../support/server.js'
import { checkAnswer } from './contract.js'
import { compressed, nested, takesBody } from './table/bodies.js'
import { contentsOf } from './table/contents.js'
import { nameOf, type Operation, type Sent, send, type World } from './table/operation.js'
import { table } from './table/table.js'

let redis: RedisProcess
let server: Server
beforeAll(async () => {
  redis = await RedisProcess.start()
  server = await Server.start({ env: { REDIS_URL: redis.url } })
})
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
})

const worldOf = (): World => ({ api: server.api, project: freshProject(), secret: `secret-${hex(6)}` })

/** Values that are wrong in most places. */
const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  'a\u0000b',
  "'; DROP TABLE calls; --",
  '\ud800',
  'x'.repeat(70_000),
  [],
  [[null]],
  [{}],
  { a: { b: [] } },
  { $literal: 1 },
]

/** Names of fields that are none. */
const FIELDS = [
  '',
  '.',
  'inputs.',
  '__proto__',
  'constructor',
  'toString',
  'inputs.__proto__.x',
  "inputs.'); SELECT 1; --",
  'inputs.{x:String}',
  'inputs.a\\',
  'inputs.\u0000',
  'feedback.[*]',
  'feedback.[x].payload.',
  `inputs.${'a.'.repeat(300)}a`,
  'x'.repeat(20_000),
]

type Body = Record<string, unknown>
const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

/** A body with each field, and each field one level below, replaced by what is wrong there. */
function* withWrongFields(body: Body, below = 1): Generator<Body> {
  for (const [key, old] of Object.entries(body)) {
    const { [key]: _left, ...without } = body
    yield without
    for (const value of VALUES) yield { ...body, [key]: value }
    if (!isBody(old) || below === 0) continue
    for (const inner of withWrongFields(old, below - 1)) yield { ...body, [key]: inner }
  }
}

describe.each(table.map((row) => [nameOf(row), row] as const))('%s', (_name, row) => {
  it('withstands wrong values in every place', async () => {
    const world = worldOf()
    const { valid } = await row.make(world)
    await sendAll(world, row, wrongOnes(valid))
    await contentsOf(world)
    // In a project of its own, since a wrong request may have been a right one that says something else.
    const after = worldOf()
    const next = await row.make(after)
    await next.effect(
      await send(after.api, row, after.project, takesBody(row) ? compressed(next.valid) : next.valid),
    )
  })
})

const queried = table.filter((row) => takesBody(row) && /quer|usage|stats$/.test(row.path))

describe.each(queried.map((row) => [nameOf(row), row] as const))('%s', (_name, row) => {
  it('withstands fields, sorts and expressions that are none', async () => {
    const world = worldOf()
    const { valid } = await row.make(world)
    const body = valid.body as Body
    const read = await fieldsRead(row)
    const wrong = FIELDS.flatMap((field): Body[] => {
      const operand = { $getField: field }
      const input = { input: operand, substr: { $literal: '%_\\' } }
      const expressions = [{ $eq: [operand, { $literal: field }] }, { $contains: input }]
      return [
        { sort_by: [{ field, direction: 'asc' }] },
        { columns: [field] },
        { fields: [field] },
        { expand_columns: [field] },
        { query: { $expr: { $or: expressions } } },
      ]
    })
    wrong.push(
      { sort_by: [{ field: 'id', direction: 'down' }] },
      { sort_by: [{ direction: 'asc' }] },
      { query: { $expr: { $eq: [{ $literal: 1 }, { $literal: 1 }] }, x: 1 } },
      { query: { $expr: { $where: 'true' } } },
      { query: { $expr: { $and: [] } } },
      { query: { $expr: { $eq: [{ $literal: 1 }] } } },
      {
        query: {
          $expr: JSON.parse(nested(60, '{"$not":[', ']}').replace('[]', '[{"$literal":1}]')) as object,
        },
      },
      { limit: Number.MAX_SAFE_INTEGER, offset: Number.MAX_SAFE_INTEGER },
    )
    const known = wrong.filter((more) => Object.keys(more).some((name) => read.has(name)))
    const all = known.map((more) => ({ ...valid, body: { ...body, ...more } }))
    await sendAll(world, row, all)
  })
})

/** The top-level fields that an operation reads, as the server says. */
async function fieldsRead({ method, path }: Operation): Promise<Set<string>> {
  const description = JSON.parse((await server.api.get('/openapi.json')).text) as unknown
  const asked = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema']
  const schema = dig(description, ...asked)
  const name = String(dig(schema, '$ref')).split('/').at(-1) ?? ''
  const { properties } = (dig(description, 'components', 'schemas', name) ?? schema) as {
    properties?: object
  }
  return new Set(Object.keys(properties ?? {}))
}

/** What to send instead of a valid request: bodies, path parameters and query parameters with something wrong. */
function wrongOnes(valid: Sent): Sent[] {
  // A lone surrogate has no place in an address, and a longer one is refused before any route is looked for.
  const texts = VALUES.filter((value) => typeof value === 'string' && value !== '\ud800').map((text) =>
    String(text).slice(0, 2_000),
  )
  const parameters = (kind: 'params' | 'query') =>
    Object.keys(valid[kind] ?? {}).flatMap((name) =>
      texts.map((text) => ({ ...valid, [kind]: { ...valid[kind], [name]: text } })),
    )
  const bodies = isBody(valid.body) ? [...withWrongFields(valid.body)] : []
  return [...parameters('params'), ...parameters('query'), ...bodies.map((body) => ({ ...valid, body }))]
}

/** Sends them, a few at a time, and checks each answer. */
async function sendAll({ api, project }: World, row: Operation, all: readonly Sent[]): Promise<void> {
  const waiting = [...all]
  const worker = async () => {
    for (let sent = waiting.pop(); sent !== undefined; sent = waiting.pop())
      checkAnswer(sent, await send(api, row, project, sent))
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
