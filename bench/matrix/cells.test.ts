import { expect, it } from 'vitest'
import { COMMON, extentOf, nameOf, REST_SECONDS } from './cells.js'

it.each([
  [false, 20, 13 * 60],
  [true, 5, 4 * 60],
])('a run (short: %s) has its cells once, the common ones first, and an end', (isShort, count, most) => {
  const { cells, beside, limitSeconds, restSeconds, trickleSeconds, halvesSeconds, warmSeconds, seconds } =
    extentOf(isShort)
  expect(new Set(cells.map(nameOf)).size).toBe(count)
  expect(cells.slice(0, COMMON.length)).toEqual(COMMON)
  // A load needs some seconds to begin and to settle; with two peers, each in turns with ours.
  const load = warmSeconds + seconds + 4
  const peers = 2 * (beside.length * 2 * load + restSeconds / 2)
  expect(
    limitSeconds + load + restSeconds + trickleSeconds + halvesSeconds + REST_SECONDS + 35 + peers,
  ).toBeLessThan(most)
})
