import { expect, it } from 'vitest'
import { Store } from '../platform/clickhouse/store.js'
import { Journal } from './journal.js'

it('that can’t store an event ends with why, also when more of them come', async () => {
  const job = { project_id: 'p', id: 'job' }
  // Nothing listens there, and nobody waits for it.
  const journal = new Journal(new Store({ url: 'http://127.0.0.1:1' }), job, 1, 0, AbortSignal.abort())
  await journal.add({ number: 1, type: 'training_started', data: {} })
  await expect(journal.flush()).rejects.toMatchObject({ status: 503 })
  await expect(journal.add({ number: 2, type: 'gradient_step', data: {} })).rejects.toMatchObject({
    status: 503,
  })
  await expect(journal.flush()).rejects.toMatchObject({ status: 503 })
})
