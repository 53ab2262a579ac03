/** Whether writes are refused, by what statements met last. */
import { expect, it } from 'vitest'
import { StoreRoom } from './store-room.js'

const PLENTY = { free: 2 ** 39, size: 2 ** 40 }

it('says that the disk is full after a refusal, until a write succeeds or a while has passed', () => {
  let now = 0
  const room = new StoreRoom(() => now)
  expect(room.isFull(PLENTY)).toBe(false)
  expect(room.isFull({ free: 2 ** 20, size: 2 ** 40 })).toBe(true)
  room.note({ kind: 'run', failed: 'STORE_FULL' })
  room.note({ kind: 'rows', failed: undefined })
  room.note({ kind: 'insert', failed: 'STORE_BUSY' })
  expect(room.isFull(PLENTY)).toBe(true)
  room.note({ kind: 'insert', failed: undefined })
  expect(room.isFull(PLENTY)).toBe(false)
  room.note({ kind: 'insert', failed: 'STORE_FULL' })
  now = 29_999
  expect(room.isFull(PLENTY)).toBe(true)
  now = 30_000
  expect(room.isFull(PLENTY)).toBe(false)
})
