/** Objects: published and read at 32 connections, and published and read back one after the other. */
import type autocannon from 'autocannon'
import type { Server } from '../../test/support/server.js'
import { cannon, posting } from '../http.js'
import { Chance, prose } from '../load/text.js'
import type { Scenario } from '../read/scenario.js'
import { metered } from './meter.js'
import { type RateFigures, rateOf } from './rate.js'

export const PROJECT = 'bench/objects'
const CONNECTIONS = 32
const TARGET = 2_000
const NEW = 10_000
const VERSIONS = 5_000
const VERSIONED = 10
const READS = 10_000
const RETRIED = 1_000

/** A published object. */
export interface Published {
  name: string
  digest: string
  /** Its value's text under `description`. */
  description: string
}

/** Publishes, counts, publishes some again and reads; gives the new objects for others to read. */
export async function measureObjects(
  server: Server,
): Promise<{ rates: RateFigures[]; published: Published[] }> {
  const fresh = Array.from({ length: NEW }, (_, n) => creation(`object-${n}`, n))
  const digests = new Map<string, string>()
  const created = await publish(server, 'objects created, each its own name', fresh, (name, digest) =>
    digests.set(name, digest),
  )
  created.stored = await stored(server, 'object-')
  await publish(server, 'again', fresh.slice(0, RETRIED))
  created.storedAfterRetry = await stored(server, 'object-')
  const versions = Array.from({ length: VERSIONS }, (_, n) => creation(`versioned-${n % VERSIONED}`, n))
  const added = await publish(server, `versions created, of ${VERSIONED} objects`, versions)
  added.stored = await stored(server, 'versioned-')
  await publish(server, 'again', versions.slice(0, RETRIED))
  added.storedAfterRetry = await stored(server, 'versioned-')
  const published = fresh.map(({ name, description }) => ({ name, description, digest: digests.get(name)! }))
  const rates = [created, added]
  for (const by of ['digest', 'latest'] as const) rates.push(await read(server, published, by))
  return { rates, published }
}

interface Creation {
  name: string
  description: string
  body: string
}

function creation(name: string, seed: number): Creation {
  const description = prose(new Chance(seed + 1), 400)
  const val = { name, number: seed, description, settings: { temperature: 0.2, tags: ['a', 'b'] } }
  return { name, description, body: JSON.stringify({ obj: { project_id: PROJECT, object_id: name, val } }) }
}

async function publish(
  server: Server,
  name: string,
  creations: readonly Creation[],
  onMade: (name: string, digest: string) => void = () => {},
): Promise<RateFigures> {
  let next = 0
  return await load(server, name, '/obj/create', creations.length, {
    setupRequest: (request) => ({ ...request, body: creations[next++ % creations.length]!.body }),
    onResponse: (status, body) => {
      if (status !== 200) return
      const made = JSON.parse(body) as { object_id: string; digest: string }
      onMade(made.object_id, made.digest)
    },
  })
}

async function read(
  server: Server,
  published: readonly Published[],
  by: 'digest' | 'latest',
): Promise<RateFigures> {
  const chance = new Chance(5)
  return await load(server, `objects read by ${by}`, '/obj/read', READS, {
    setupRequest: (request) => {
      const { name, digest } = published[chance.below(published.length)]!
      const body = { project_id: PROJECT, object_id: name, digest: by === 'digest' ? digest : by }
      return { ...request, body: JSON.stringify(body) }
    },
  })
}

async function load(
  server: Server,
  name: string,
  path: string,
  amount: number,
  request: autocannon.Request,
): Promise<RateFigures> {
  const options = { ...posting(server, path), connections: CONNECTIONS, amount, requests: [request] }
  const found = await metered(server, () => cannon(name, options))
  const { notOk, requestsPerSecond: perSecond, p50, p99 } = found.value
  const what = { name, unit: 'objects', connections: CONNECTIONS, target: TARGET }
  return { ...rateOf({ ...what, acknowledged: amount - notOk }, found, []), perSecond, p50, p99, notOk }
}

/** Versions there are of objects whose names begin so. */
async function stored(server: Server, beginning: string): Promise<number> {
  const { objs } = await server.api.ok('/objs/query', { project_id: PROJECT, metadata_only: true })
  const names = (objs as { object_id: string }[]).map(({ object_id }) => object_id)
  return names.filter((name) => name.startsWith(beginning)).length
}

/** Reads an object that was published in the request before. */
export function readYourWrites(server: Server): Scenario {
  let latest: Published = { name: '', digest: '', description: '' }
  let made = 0
  return {
    name: 'object, read as latest right after it was published',
    path: '/obj/read',
    prepare: async () => {
      const { name, description, body } = creation('mine', 1_000_000 + made++)
      const { digest } = await server.api.ok('/obj/create', JSON.parse(body) as object)
      latest = { name, description, digest: String(digest) }
    },
    body: () => ({ project_id: PROJECT, object_id: latest.name, digest: 'latest' }),
    problem: (text) => (text.includes(latest.digest) ? undefined : `it is not ${latest.digest}`),
  }
}
