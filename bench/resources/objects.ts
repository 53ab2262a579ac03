/** Objects: published and read at 32 connections, and published and read back one after the other. */
import type { Server } from '../../test/support/server.js'
import type { Row } from '../figures.js'
import { type Request, sendAll } from '../load/requests.js'
import { Chance, prose } from '../load/text.js'
import { type Metered, metered } from '../processes.js'
import type { Scenario } from '../read/scenario.js'
import { type Rate, rateRow } from './rate.js'

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
export async function measureObjects(server: Server): Promise<{ rates: Row[]; published: Published[] }> {
  const digests = new Map<string, string>()
  const fresh = Array.from({ length: NEW }, (_, n) => creation(`object-${n}`, n))
  const versions = Array.from({ length: VERSIONS }, (_, n) => creation(`versioned-${n % VERSIONED}`, n))
  const rates = [
    await publish(server, 'objects created, each its own name', fresh, 'object-', digests),
    await publish(server, `versions created, of ${VERSIONED} objects`, versions, 'versioned-'),
  ]
  const published = fresh.map(({ name, description }) => ({ name, description, digest: digests.get(name)! }))
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

/** @param beginning of the names of these objects @param digests gets those of the versions by name */
async function publish(
  server: Server,
  name: string,
  creations: readonly Creation[],
  beginning: string,
  digests = new Map<string, string>(),
): Promise<Row> {
  const make = (n: number) => ({ path: '/obj/create', body: creations[n]!.body })
  const take = (text: string) => {
    const made = JSON.parse(text) as { object_id: string; digest: string }
    digests.set(made.object_id, made.digest)
  }
  const found = await load(server, creations.length, make, take)
  const before = await stored(server, beginning)
  await load(server, RETRIED, make)
  const storedAgain = await stored(server, beginning)
  return row({ name, acknowledged: found.value.length, stored: before, storedAgain }, found)
}

async function read(server: Server, published: readonly Published[], by: 'digest' | 'latest'): Promise<Row> {
  const chance = new Chance(5)
  const found = await load(server, READS, () => {
    const { name, digest } = published[chance.below(published.length)]!
    const asked = { project_id: PROJECT, object_id: name, digest: by === 'digest' ? digest : by }
    return { path: '/obj/read', body: JSON.stringify(asked) }
  })
  return row({ name: `objects read by ${by}`, acknowledged: found.value.length }, found)
}

function load(
  server: Server,
  count: number,
  make: (n: number) => Request,
  take?: (text: string) => void,
): Promise<Metered<number[]>> {
  const requests = { connections: CONNECTIONS, count, make, ...(take && { take }) }
  return metered(server, () => sendAll(server, requests))
}

function row(rate: Omit<Rate, 'unit' | 'connections'>, found: Metered<number[]>): Row {
  return rateRow({ unit: 'objects', connections: CONNECTIONS, target: TARGET, ...rate }, found, found.value)
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
