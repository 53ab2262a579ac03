import { describe, expect, it } from 'vitest'
import { errors } from '../common/errors/catalog.js'
import { HeddleError } from '../common/errors/error.js'
import { failureOfStatus, ProviderFailure } from '../common/providers/failure.js'
import { isAway, mayMend, waitBefore, withRetries } from './retry.js'

const never = new AbortController().signal

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
    [new HeddleError('QUEUE_FULL', 429, ''), true],
    [new HeddleError('UNKNOWN_MODEL', 404, ''), false],
    [errors.unavailable(), false],
    [new Error('x'), false],
  ])('after %o: %s', (error, expected) => {
    expect(mayMend(error)).toBe(expected)
  })

  it('is not the row’s matter while the store or the queues are away', () => {
    expect(isAway(errors.unavailable())).toBe(true)
    expect(isAway(new HeddleError('QUEUES_AWAY', 503, ''))).toBe(true)
    expect(isAway(new HeddleError('NO_NODE', 503, ''))).toBe(false)
  })

  it('waits longer and longer, up to a bound', () => {
    const waits = [1, 2, 3, 4, 20].map((tries) => waitBefore(tries, 1))
    expect(waits).toEqual([500, 1000, 2000, 4000, 10_000])
    expect(waitBefore(1, 0)).toBe(250)
  })

  it('is made as often as it may be, and ends with what went wrong last', async () => {
    let tries = 0
    const failing = async () => {
      tries++
      throw failureOfStatus(500, `number ${tries}`)
    }
    await expect(withRetries(2, never, failing)).rejects.toThrow('number 2')
    expect(tries).toBe(2)
    await expect(withRetries(1, never, failing)).rejects.toThrow('number 3')
    expect(await withRetries(1, never, async () => 'well')).toBe('well')
  })

  it('is not made when nobody wants it any more', async () => {
    const gone = AbortSignal.abort()
    await expect(
      withRetries(5, gone, async () => {
        throw failureOfStatus(500, '')
      }),
    ).rejects.toThrow(ProviderFailure)
  })
})
