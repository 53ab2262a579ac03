/** What happened beside calls, over a real store. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scoreRow } from '../../domain/feedback/scores.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { startService, type TestService } from '../../query/testing/service.js'
import { allEventsSince } from './events.js'

const project = 'acme/one'

let service: TestService
beforeAll(async () => {
  service = await startService(() => [])
})
afterAll(() => service?.stop())

it('none is lost among many of one time, in pages of any size', async () => {
  const times = [
    ...Array(7).fill('2026-01-01T00:00:00.000001Z'),
    ...Array(3).fill('2026-01-01T00:00:00.000002Z'),
  ]
  const score = { project, userId: 'u', callId: 'c', name: 'good', payload: '{}' }
  const rows = times.map((at, i) => ({
    ...scoreRow({ ...score, id: `s${i}` }),
    created_at: at,
    stored_at: at,
  }))
  await service.store.insertRows('feedback', rows)
  const where = { projectIds: [projectIdOf(project)], since: Date.parse('2026-01-01T00:00:00Z') * 1000 }
  for (const limit of [1, 2, 3, 7, 10, 100]) {
    const found = await allEventsSince(service.store, 'score', { ...where, feedbackTypes: ['good'], limit })
    expect([...new Set(found.map(({ key }) => key))]).toEqual(times.map((_, i) => `score s${i}`))
  }
})
