import { expect, it } from 'vitest'
import type { Announcement } from './node-announcement.js'
import { NodeBoard } from './node-board.js'

const said = (at: number, more: Partial<Announcement> = {}) =>
  JSON.stringify({
    ...{
      worker: 'w',
      address: 'a:1',
      at,
      up: true,
      since: 1,
      node: 'n',
      model: 'm',
      engine: 'e',
      device: 'd',
    },
    ...{ contextLength: 1, slots: 1, queueLimit: 1, maxAdapters: 1, priorities: false, unsupported: [] },
    ...{ images: false, running: 0, waiting: 0, adapters: [], memoryBytes: 0 },
    ...{ tokensPerSecond: null, firstTokenMs: null },
    ...more,
  } satisfies Announcement)
const HOUR = 3_600_000
const NOW = 100 * HOUR

it.each([
  ['an hour behind', NOW - HOUR],
  ['an hour ahead', NOW + HOUR],
])('a node is up while it is heard of, though the clock of its worker is %s', (_, theirs) => {
  let now = NOW
  const board = new NodeBoard(0, () => now)
  board.note(said(theirs))
  expect(board.serving('m')).toHaveLength(1)
  now += 3000
  board.note(said(theirs + 3000))
  now += 3000
  expect(board.serving('m')).toHaveLength(1)
  now += 2000
  expect(board.serving('m')).toHaveLength(0)
  expect(board.known()).toEqual(new Set(['m']))
  board.note(said(theirs, { up: false }))
  expect(board.serving('m')).toHaveLength(0)
})
