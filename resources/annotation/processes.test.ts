/** Two services on one store that agree through Redis: what they do at the same time is done once, and none is lost. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { RedisLeases } from '../../platform/leases/redis.js'
import { TestRedis } from '../../platform/testing/redis.js'
import { writeCalls } from '../../query/testing/calls.js'
import { startService, type TestService } from '../../query/testing/service.js'

const project_id = 'acme/one'
const ids = Array.from({ length: 12 }, (_, i) => `call-${i}`)
const leases: RedisLeases[] = []
let redis: TestRedis
let services: TestService[] = []
let queue = ''

beforeAll(async () => {
  redis = await TestRedis.start()
  const first = await startService((store) => {
    const own = new RedisLeases(redis.url)
    leases.push(own)
    return createReads({ store, version: '', leases: own }).routes
  })
  services = [first, await first.again()]
  const started_at = '2026-01-01T00:00:00Z'
  await writeCalls(
    first.store,
    project_id,
    ids.map((id) => ({ id, started_at, ended_at: started_at })),
  )
  queue = (await first.post('/annotation_queues', { project_id, name: 'shared', scorer_refs: [] })).json.id
})
afterAll(async () => {
  for (const own of leases) await own.close()
  for (const service of services.reverse()) await service.stop()
  await redis.stop()
})

/** `work` with each service, twice at once. */
const everywhere = <T>(work: (service: TestService, n: number) => Promise<T>): Promise<T[]> =>
  Promise.all([...services, ...services].map(work))

it('a call is added once', async () => {
  const body = { project_id, call_ids: ids, display_fields: [] }
  const answers = await everywhere((service) => service.post(`/annotation_queues/${queue}/items`, body))
  expect(answers.map(({ json }) => json.added_count).sort()).toEqual([0, 0, 0, ids.length])
})

it('changes of a queue all hold', async () => {
  const changes = [{ name: 'new' }, { description: 'new' }, { scorer_refs: ['new'] }, {}]
  await everywhere((service, n) =>
    service.send('PUT', `/annotation_queues/${queue}`, { project_id, ...changes[n] }),
  )
  const read = await services[1]!.send('GET', `/annotation_queues/${queue}?project_id=acme%2Fone`)
  expect(read.json.queue).toMatchObject({ name: 'new', description: 'new', scorer_refs: ['new'] })
})

it('an annotator ends an item in one way', async () => {
  const { items } = (await services[0]!.post(`/annotation_queues/${queue}/items/query`, { project_id })).json
  for (const { id } of items.slice(0, 6)) {
    const states = ['completed', 'skipped', 'skipped', 'completed']
    const answers = await everywhere((service, n) =>
      service.post(`/annotation_queues/${queue}/items/${id}/progress`, {
        project_id,
        annotation_state: states[n],
      }),
    )
    const won = states.filter((_, n) => answers[n]!.status === 200)
    expect(won).toEqual([won[0], won[0]])
    const filter = { id }
    const seen = await services[1]!.post(`/annotation_queues/${queue}/items/query`, { project_id, filter })
    expect(seen.json.items[0].annotation_state).toBe(won[0])
  }
})
