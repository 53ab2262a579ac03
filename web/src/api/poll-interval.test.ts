import { expect, it } from 'vitest'
import { pollInterval } from './poll-interval'

const SECOND = 1000

it('what does not change is asked for ever later, and at once again when it does', () => {
  const after = pollInterval(10 * SECOND)
  const data = { rows: [] as unknown[] }
  const at = (seconds: number, answer: object = data) =>
    after({ state: { data: answer, dataUpdatedAt: seconds * SECOND } }) / SECOND
  expect([at(100), at(110), at(120), at(160), at(1000)]).toEqual([10, 10, 10, 30, 80])
  expect(at(1080, { rows: [1] })).toBe(10)
  expect(after({ state: { data: undefined, dataUpdatedAt: 0 } })).toBe(10 * SECOND)
})
