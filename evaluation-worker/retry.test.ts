import { describe, expect, it } from 'vitest'
import { failureOfStatus, ProviderFailure } from '../domain/providers/failure.js'
import { errors } from '../platform/errors/catalog.js'
import { HeddleError } from '../platform/errors/error.js'
import { RowFailure } from './failure.js'
import { isAway, mayMend, Outage, waitBefore, withRetries } from './retry.js'

const never = new AbortController().signal
const impatient = () => new Outage(0)

describe('another try', () => {
  it.each([
    [failureOfStatus(429, ''), true],
    [failureOfStatus(500, ''), true],
    [new ProviderFailure('PROVIDER_UNREACHABLE', ''), true],
    [failureOfStatus(400, ''), false],
    [failureOfStatus(401, ''), false],
    [new ProviderFailure('PROVIDER_TIMEOUT', ''), false],
    [new ProviderFailure('BAD_ADDRESS', ''), false],
    [new HeddleError('NO_NODE', 503, ''), true],
    [new RowFailure('REMOTE_FAILED', '', undefined, true), true],
    [new RowFailure('REMOTE_FAILED', ''), false],
    [new HeddleError('QUEUE_FULL', 429, ''), true],
    [new HeddleError('UNKNOWN_MODEL', 404, ''), false],
    [errors.unavailable(), false],
    [new Error('x'), false],
  ])('after %o: %s', (error, expected) => {
    expect(mayMend(error)).toBe(expected)
  })

  it('is not the row’s failure while the store or the queues are unavailable', () => {
    expect(isAway(errors.unavailable())).toBe(true)
    expect(isAway(new HeddleError('QUEUES_AWAY', 503, ''))).toBe(true)
    expect(isAway(new HeddleError('NO_NODE', 503, ''))).toBe(false)
  })

  it('waits longer and longer, up to a bound', () => {
    const waits = [1, 2, 3, 4, 20].map((tries) => waitBefore(tries, 1))
    expect(waits).toEqual([500, 1000, 2000, 4000, 10_000])
    expect(waitBefore(1, 0)).toBe(250)
  })

  it('is made up to the limit, and ends with the last error', async () => {
    let tries = 0
    const failing = async () => {
      tries++
      throw failureOfStatus(500, `number ${tries}`)
    }
    await expect(withRetries(2, impatient(), never, failing)).rejects.toThrow('number 2')
    expect(tries).toBe(2)
    await expect(withRetries(1, impatient(), never, failing)).rejects.toThrow('number 3')
    expect(await withRetries(1, impatient(), never, async () => 'well')).toBe('well')
  })

  it('is made beyond the limit while an outage is waited out, which an answer for any row ends', async () => {
    let now = 0
    const began: Error[] = []
    const outage = new Outage(
      1000,
      () => now,
      (error) => began.push(error),
    )
    const away = new HeddleError('NO_NODE', 503, 'away')
    const script = [() => away, () => 'well']
    let step = 0
    const asked = async () => {
      const result = script[step++ % 2]!()
      if (result instanceof Error) throw result
      return result
    }
    expect(await withRetries(1, outage, never, asked)).toBe('well')
    now = 999
    expect(outage.lasts(away)).toBe(true)
    now = 1998
    expect(outage.lasts(away)).toBe(true)
    now = 1999
    expect(outage.lasts(away)).toBe(false)
    await expect(withRetries(1, outage, never, asked)).rejects.toThrow('away')
    // Told of once, however many rows wait.
    expect(began).toEqual([away, away])
  })

  it('is not made beyond the limit if the failure may be the row’s', async () => {
    const failing = async () => {
      throw failureOfStatus(500, '')
    }
    await expect(withRetries(1, new Outage(1e9), never, failing)).rejects.toThrow(ProviderFailure)
  })

  it('is not made after its signal is aborted', async () => {
    const gone = AbortSignal.abort()
    await expect(
      withRetries(5, impatient(), gone, async () => {
        throw failureOfStatus(500, '')
      }),
    ).rejects.toThrow(ProviderFailure)
  })
})
