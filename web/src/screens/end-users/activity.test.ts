import { expect, it } from 'vitest'
import { activityOf } from './activity'

it('days have their calls, those that failed apart, and the cost of all models', () => {
  const day = (timestamp: string, calls: number, errors: number) => ({
    ...{ timestamp, sum_call_count: calls, sum_error_count: errors },
  })
  const used = (timestamp: string, model: string, sum_total_cost: number | null) => ({
    ...{ timestamp, model, sum_total_cost },
  })
  const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
  const { times, calls, cost } = activityOf(
    [day(first, 5, 2), day(second, 0, 0)],
    [used(first, 'a', 1), used(first, 'b', 0.5), used(first, 'c', null)],
  )
  expect(times).toEqual([1_767_225_600, 1_767_312_000])
  expect(calls.map(({ values }) => values)).toEqual([
    [3, 0],
    [2, 0],
  ])
  expect(cost.map(({ values }) => values)).toEqual([[1.5, 0]])
})
