/** Looks for experiments, over a real store. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { CallBlock } from '../../../domain/calls/block.js'
import { insertTarget } from '../../../domain/calls/schema.js'
import { OtlpDecoder } from '../../../ingest/otlp/decode.js'
import { requestOf } from '../../../ingest/otlp/testing/decoded.js'
import { encodeExport, exportOf, spanWith } from '../../../ingest/otlp/testing/messages.js'
import type { Sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'
import { currentCaller, service as ownWork } from '../../../platform/fairness/caller.js'
import { nowMicros } from '../../../platform/time/iso.js'
import { startService, type TestService } from '../../../query/testing/service.js'
import { createResources, type Resources } from '../../routes.js'

const project = 'acme/one'
const authorization = `Basic ${Buffer.from(`${project}:all`).toString('base64')}`

let service: TestService
let resources: Resources
/** The statements of looks, in order. */
const asked: string[] = []

beforeAll(async () => {
  service = await startService((store) => {
    resources = createResources({ store: noted(store), version: '1' })
    return resources.routes
  })
})
afterAll(async () => {
  await resources?.stop()
  await service?.stop()
})

/** `store`, which notes what looks ask. */
function noted(store: Store): Store {
  const rows = (statement: Sql, ...more: never[]) => {
    if (currentCaller() === ownWork('langfuse-experiments')) asked.push(statement.render().query)
    return store.rows(statement, ...more)
  }
  return Object.create(store, { rows: { value: rows } }) as Store
}

/** Spans of an experiment's items, as version 5 of the SDK sends them. */
async function run(name: string, items: number): Promise<void> {
  const block = new CallBlock('calls')
  const decoder = new OtlpDecoder(block, new CallBlock('calls_open'))
  const now = nowMicros()
  const spans = Array.from({ length: items }, (_, i) => {
    const spanId = Buffer.from(`${name}${i}`.padStart(8, '0'))
    const experiment = {
      id: name,
      name,
      'item.id': `i${i}`,
      'item.root_observation_id': spanId.toString('hex'),
    }
    const said = Object.entries(experiment).map(([key, value]) => [`langfuse.experiment.${key}`, value])
    const [startTimeUnixNano, endTimeUnixNano] = [`${now}000`, `${now + 1000}000`]
    const traceId = Buffer.from(`${name}${i}`.padStart(16, '0'))
    const times = { startTimeUnixNano, endTimeUnixNano }
    return spanWith(
      { ...Object.fromEntries(said), 'langfuse.observation.input': '1', 'langfuse.observation.output': '2' },
      { name: 'experiment-item-run', spanId, traceId, ...times },
    )
  })
  decoder.decodeBatch([requestOf(encodeExport(exportOf(...spans)), { project })], { ver: now })
  await service.store.insert(insertTarget('calls'), 'Native', [block.encode()])
}

/** The runs that have ended, by their name. */
async function ended(): Promise<string[]> {
  const { text } = await service.send('GET', `/v2/${project}/evaluation_runs`)
  const runs = text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))
  return runs.flatMap(({ status, model }) => (status === 'completed' ? [model] : [])).sort()
}

/** A request of an SDK, after which experiments are looked for. */
const ask = () => service.send('GET', '/api/public/projects', undefined, { authorization })

it('they record what is new, and of what is recorded they read spans and scores alone', async () => {
  const soon = { timeout: 30_000, interval: 100 }
  await run('a', 3)
  await ask()
  await vi.waitFor(async () => expect(await ended()).toEqual(['a']), soon)
  asked.length = 0
  const next = await vi.waitFor(async () => {
    await ask()
    const [, second, third] = asked.flatMap((query, i) => (query.startsWith('SELECT 1 ') ? [i] : []))
    expect(third).toBeDefined()
    return asked.slice(second, third)
  }, soon)
  expect(next.map((query) => /FROM (calls|feedback|\w+)/.exec(query)?.[1])).toEqual([
    'calls',
    'calls',
    'feedback',
    'feedback',
  ])
  await run('b', 2)
  await vi.waitFor(async () => {
    await ask()
    expect(await ended()).toEqual(['a', 'b'])
  }, soon)
})
