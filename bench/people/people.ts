/** What people cost: lists of 10,000 users and 1,000 projects, and the time until a revoked key stops in another process. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'undici'
import { StoreProcess } from '../../test/support/engine.js'
import { uuid7 } from '../../test/support/ids.js'
import { Server } from '../../test/support/server.js'
import { budget, type Figures, percentile, type Row, short } from '../figures.js'
import { connect, send } from '../load/requests.js'
import { say } from '../subject.js'

const USERS = 10_000
const PROJECTS = 1_000
const LISTS = 40
const LIST_MS = 100
const REVOCATIONS = 5
const REVOKED_SECONDS = 10
const ENTITY = 'bench'

export async function measurePeople(): Promise<Figures> {
  const store = await StoreProcess.start()
  const { origin, searchParams } = new URL(store.address())
  const [user = '', password = ''] = ['user', 'password'].map((name) => searchParams.get(name) ?? '')
  const env = {
    ...{ HEDDLE_LOG_LEVEL: 'warn', CLICKHOUSE_URL: origin, CLICKHOUSE_DATABASE: 'default' },
    ...{ CLICKHOUSE_USER: user, CLICKHOUSE_PASSWORD: password },
  }
  const servers: Server[] = []
  try {
    const server = await Server.start({ env })
    servers.push(server)
    await fill(store, server)
    const lists = await listed(server)
    say('people: lists are measured')
    const other = await Server.start({ env })
    servers.push(other)
    return [
      '## People',
      `Lists with ${short(USERS)} users, each a member of an entity and of one of its ${short(PROJECTS)} projects, ${LISTS} requests of each one at a time:`,
      lists,
      `From the answer that revokes a key to the first refusal by another process of the same store, ${REVOCATIONS} times:`,
      [await revoked(server, other)],
    ]
  } finally {
    for (const server of servers) await server.dispose()
    await store.kill()
  }
}

/** Users are put into the store as they lie there: one by one, by the route, they would take minutes. */
async function fill(store: StoreProcess, server: Server): Promise<void> {
  const id = `concat('u', toString(number))`
  await store.run(`INSERT INTO users (user_id, username, email, name, kind, active, created_at, ver)
    SELECT ${id}, concat('person-', leftPad(toString(number), 5, '0'), '@example.org') AS username, username, '', 'person', 1,
      now64(6), 1 FROM numbers(${USERS})`)
  for (const scope of [`'${ENTITY}'`, `concat('${ENTITY}/p-', toString(number % ${PROJECTS}))`])
    await store.run(`INSERT INTO memberships (subject, scope, source, roles, ver)
      SELECT concat('user:', ${id}), ${scope}, '', ['member'], 1 FROM numbers(${USERS})`)
  const batch = Array.from({ length: PROJECTS }, (_, n) => ({
    mode: 'start',
    req: {
      start: {
        ...{ project_id: `${ENTITY}/p-${n}`, id: uuid7(), trace_id: uuid7(), op_name: 'op' },
        ...{ started_at: new Date().toISOString(), attributes: {}, inputs: {} },
      },
    },
  }))
  const client = connect(server)
  await send(client, server, { path: '/call/upsert_batch', body: JSON.stringify({ batch }) })
  await client.close()
}

async function listed(server: Server): Promise<Row[]> {
  const lists: Record<string, string> = {
    'users, a page of 100': '/users?limit=100',
    'users, the last page': '/users?limit=100&after=person-09899@example.org',
    'users with "0042"': '/users?limit=100&query=0042',
    'members of the entity, a page of 100': `/members?scope=${ENTITY}&limit=100`,
    'members with "0042"': `/members?scope=${ENTITY}&limit=100&query=0042`,
    'members of a project': `/members?scope=${ENTITY}/p-7&limit=100`,
    projects: '/projects',
  }
  const rows: Row[] = []
  const client = connect(server)
  for (const [list, path] of Object.entries(lists)) {
    const ms: number[] = []
    let bytes = 0
    for (let n = 0; n < LISTS; n++) {
      const began = performance.now()
      bytes = (await send(client, server, { path })).length
      ms.push(performance.now() - began)
    }
    const middle = percentile(ms, 0.5)
    rows.push({
      ...{ list, 'kB answered': bytes / 1000, 'ms best': Math.min(...ms), 'ms p50': middle },
      ...{ 'ms p99': percentile(ms, 0.99), target: budget('≤', LIST_MS, middle) },
    })
  }
  await client.close()
  return rows
}

/** A request in which there is nothing to do. @returns its status */
async function ended(client: Client, key: string): Promise<number> {
  const answer = await client.request({
    method: 'POST',
    path: `/v2/${ENTITY}/p-1/calls/complete`,
    body: '{"batch":[]}',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  await answer.body.dump()
  return answer.statusCode
}

async function revoked(server: Server, other: Server): Promise<Row> {
  const [client, elsewhere] = [connect(server), connect(other)]
  const seconds: number[] = []
  for (let n = 0; n < REVOCATIONS; n++) {
    const body = JSON.stringify({ grants: [{ scope: ENTITY, right: 'write' }] })
    const { key, key_id } = JSON.parse(await send(client, server, { path: '/keys', body })) as {
      key: string
      key_id: string
    }
    while ((await ended(elsewhere, key)) === 401) await sleep(50)
    // So that it is remembered there, at another moment each time.
    await sleep(700 * n)
    await ended(elsewhere, key)
    const headers = { authorization: `Bearer ${server.key}` }
    await fetch(`${server.url}/keys/${key_id}`, { method: 'DELETE', headers })
    const began = performance.now()
    while ((await ended(elsewhere, key)) !== 401) await sleep(20)
    seconds.push((performance.now() - began) / 1000)
  }
  await Promise.all([client.close(), elsewhere.close()])
  const most = Math.max(...seconds)
  return { 's p50': percentile(seconds, 0.5), 's at most': most, target: budget('≤', REVOKED_SECONDS, most) }
}
