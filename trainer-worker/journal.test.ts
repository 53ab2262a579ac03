import { expect, it } from 'vitest'
import { Store } from '../platform/clickhouse/store.js'
import { Journal } from './journal.js'

it('that can’t store an event fails with the reason, also for later events', async () => {
  const job = { project_id: 'p', id: 'job' }
  // No server listens there, and the aborted signal ends the retries.
  const journal = new Journal(new Store({ url: 'http://127.0.0.1:1' }), job, 1, 0, AbortSignal.abort())
  await journal.add({ number: 1, type: 'training_started', data: {} })
  await expect(journal.flush()).rejects.toMatchObject({ status: 503 })
  await expect(journal.add({ number: 2, type: 'gradient_step', data: {} })).rejects.toMatchObject({
    status: 503,
  })
  await expect(journal.flush()).rejects.toMatchObject({ status: 503 })
})
