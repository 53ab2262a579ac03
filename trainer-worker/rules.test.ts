import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkpointsRead, type JobRow } from '../domain/training/jobs.js'
import { expiredCheckpoints } from './checkpoint-retention.js'
import { requestOf } from './request.js'
import { afterFailure, endOf, failuresOf, MOST_FAILURES, mayRetry } from './retry-policy.js'

const job = (more: Partial<JobRow> = {}): JobRow => ({
  ...{ project_id: 'p', id: 'job', model_id: 'm', kind: 'rl', config: '', data_address: '/a/data' },
  ...{ data_sha256: 'ab'.repeat(32), data_bytes: 10, data_count: 2, created_at: 1, created_by: 'u' },
  ...{ status: 'queued', stop_reason: '', attempt: 0, failures: 0, progress: 0, retry_at: 0, step: 1 },
  ...{
    start_address: '',
    start_manifest: '',
    error_code: '',
    error_message: '',
    started_at: 0,
    finished_at: 0,
    guidance: '',
    preparing: '',
    events_before: 0,
  },
  ...more,
})
const step = (number: number) => ({ number, type: 'gradient_step' as const, data: '{}' })
const lost = { code: 'NODE_LOST', message: 'It went away.', retriable: true }

describe('a job that is taken', () => {
  it('runs', () => {
    expect(endOf(job(), undefined, false)).toBeUndefined()
    expect(endOf(job({ status: 'running', attempt: 1 }), step(3), false)).toBeUndefined()
  })

  it('whose last event says so has ended, and no event is stored again', () => {
    expect(
      endOf(job({ status: 'running' }), { number: 9, type: 'training_ended', data: '{}' }, false),
    ).toMatchObject({
      status: 'completed',
      eventStored: true,
    })
    const data = '{"error_message":"The loss is not a number."}'
    expect(
      endOf(job({ status: 'running' }), { number: 9, type: 'training_failed', data }, false),
    ).toMatchObject({
      status: 'failed',
      message: 'The loss is not a number.',
      eventStored: true,
    })
  })

  it('that was cancelled, or whose model was deleted, ends', () => {
    expect(endOf(job({ stop_reason: 'cancelled' }), step(3), false)).toMatchObject({
      status: 'cancelled',
      message: 'cancelled',
      eventStored: false,
    })
    expect(endOf(job(), step(3), true)).toMatchObject({ status: 'failed', code: 'MODEL_DELETED' })
  })

  it('that kills every worker that takes it ends at last', () => {
    let row = job({ status: 'running', attempt: 1, progress: 4 })
    let taken = 0
    while (!endOf(row, step(4), false)) {
      row = { ...row, failures: failuresOf(row, step(4)) }
      taken++
      expect(taken).toBeLessThan(20)
    }
    expect(taken).toBe(MOST_FAILURES)
    expect(endOf(row, step(4), false)).toMatchObject({ status: 'failed', code: 'NO_PROGRESS' })
  })
})

describe('after a failed attempt', () => {
  it('that no retry can fix, the job is over with the node’s reason', () => {
    expect(afterFailure(job(), step(2), { ...lost, code: 'BAD_DATA', retriable: false })).toMatchObject({
      end: { status: 'failed', code: 'BAD_DATA', message: 'It went away.' },
    })
  })

  it('it waits longer and longer, and not for ever', () => {
    const waits: number[] = []
    let row = job({ status: 'running', progress: 2 })
    for (let i = 0; i < MOST_FAILURES; i++) {
      const next = afterFailure(row, step(2), lost)
      if (!('failures' in next)) throw new Error('it is over too soon')
      waits.push(next.waitMs)
      row = { ...row, failures: next.failures }
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16000])
    expect(afterFailure(row, step(2), lost)).toMatchObject({ end: { status: 'failed', code: 'NODE_LOST' } })
  })

  it('its wait is over at its time, and when the clock was set back', () => {
    const at = (retry_at: number) => mayRetry({ retry_at }, 1_000_000_000)
    expect([at(0), at(1_000_000_000), at(1_000_000_001), at(1_060_000_000)]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(at(1_060_000_001)).toBe(true)
  })

  it('with events behind it, it starts to count again', () => {
    fc.assert(
      fc.property(
        fc.nat(MOST_FAILURES),
        fc.nat(100),
        fc.integer({ min: 1, max: 100 }),
        (failures, progress, more) => {
          const next = afterFailure(job({ failures, progress }), step(progress + more), lost)
          expect(next).toEqual({ failures: 1, waitMs: 1000 })
        },
      ),
    )
  })
})

describe('checkpoints that stay', () => {
  const checkpoints = [0.1, 0.9, 0.5, 0.4].map((reward, i) => ({
    step: i + 1,
    metrics: JSON.stringify({ reward, loss: 1 - reward }),
  }))
  const gone = (last: number, best?: string) =>
    expiredCheckpoints(checkpoints, { last, best }).map(({ step: one }) => one)

  it.each([
    ['all', 0, undefined, []],
    ['the newest two', 2, undefined, [1, 2]],
    ['the newest and the best', 1, 'reward', [1, 3]],
    ['the newest and the one with the least loss', 1, '-loss', [1, 3]],
    ['the newest where none has the metric', 1, 'other', [1, 2, 3]],
  ])('%s', (_, last, best, steps) => {
    expect(gone(last, best)).toEqual(steps)
  })
})

describe('the request to a node', () => {
  const model = { id: 'm', base_model: 'tiny', entity: 'acme' }

  it('has a folder of the model alone, and the caller’s options unchanged', () => {
    const config = '{"learning_rate":0.1,"groups_per_step":3}'
    expect(requestOf(job({ config, attempt: 2 }), model, '/artifacts', 7, { saveEvery: 5 })).toMatchObject({
      jobId: 'job',
      attempt: 2,
      after: 7,
      baseModel: 'tiny',
      entity: 'acme',
      modelAddress: '/artifacts/training/m',
      rl: { configJson: config, groupsPerStep: 3 },
      saveEvery: 5,
    })
  })

  it('starts from the checkpoint that was chosen when it was first taken', () => {
    const start = { start_address: '/artifacts/x', start_manifest: 'aa' }
    expect(requestOf(job({ kind: 'sft', ...start }), model, 's3://b', 0, {})).toMatchObject({
      start: { address: '/artifacts/x', manifestSha256: 'aa' },
      sft: { configJson: '', epochs: 0 },
    })
    const preferred = job({ kind: 'dpo', config: '{"method":"dpo","beta":0.2,"epochs":3}' })
    expect(requestOf(preferred, model, 's3://b', 0, {}).dpo).toEqual({
      configJson: preferred.config,
      epochs: 3,
    })
    expect(requestOf(job(), model, 's3://b', 0, {})).not.toHaveProperty('start')
  })

  it('names the checkpoint to compare with, which is kept while the job is open', () => {
    const reference = { address: '/artifacts/y', manifest_sha256: 'bb' }
    const compared = job({ config: JSON.stringify({ kl_penalty_coef: 1, kl_reference: reference }) })
    expect(requestOf(compared, model, 's3://b', 0, {})).toMatchObject({
      reference: { address: '/artifacts/y', manifestSha256: 'bb' },
    })
    expect(checkpointsRead([compared])).toContain('/artifacts/y')
    expect(requestOf(job(), model, 's3://b', 0, {})).not.toHaveProperty('reference')
  })

  it('has a seed that data and step decide, so that a run can be repeated', () => {
    const seed = (more: Partial<JobRow>) => requestOf(job(more), model, '/a', 0, {}).seed
    expect(seed({ id: 'other', attempt: 3 })).toBe(seed({}))
    expect(seed({ step: 2 })).not.toBe(seed({}))
    expect(Number.isSafeInteger(seed({ data_sha256: 'f'.repeat(64), step: 2 ** 31 }))).toBe(true)
  })
})
