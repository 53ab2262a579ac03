import { expect, it } from 'vitest'
import { readThreadsSearch, requestOf } from './search'

it('an address holds what is known of a list, and nothing else', () => {
  expect(readThreadsSearch({ q: 'refund', sort: 'total_cost', user: 7, failed: true, range: '7d' })).toEqual({
    ...{ q: 'refund', sort: 'total_cost', user: '7', failed: true, range: '7d' },
  })
  expect(
    readThreadsSearch({ q: '', sort: 'x', user: '', failed: 'yes', range: 'toString', more: 1 }),
  ).toEqual({})
})

it('what is asked for is met by calls of a thread, each by any of them', () => {
  const request = requestOf({ q: ' refund ', user: 'ann', failed: true, range: '24h' }, Date.UTC(2026, 0, 2))
  expect(request.with_calls).toHaveLength(3)
  expect(JSON.stringify(request.with_calls)).toContain('"refund"')
  expect(request).toMatchObject({
    started_after: '2026-01-01T00:00:00.000Z',
    sort_by: [{ field: 'last_updated', direction: 'desc' }],
  })
  expect(requestOf({ q: '  ' }, 0)).toEqual({
    with_calls: [],
    sort_by: [{ field: 'last_updated', direction: 'desc' }],
  })
})
