import { expect, it, vi } from 'vitest'
import { BufferPool } from './buffer-pool.js'

it('makes no more pieces than it may, and hands out again what came back', () => {
  const buffers = new BufferPool(2)
  const one = buffers.take()!
  const two = buffers.take()!
  expect(two).not.toBe(one)
  expect(buffers.take()).toBe(undefined)
  buffers.give(one)
  expect(buffers.take()).toBe(one)
  expect(buffers.take()).toBe(undefined)
})

it('lets a piece rest that somebody may still be reading', () => {
  vi.useFakeTimers()
  try {
    const buffers = new BufferPool(1)
    const one = buffers.take()!
    buffers.giveLater(one)
    vi.advanceTimersByTime(59_000)
    expect(buffers.take()).toBe(undefined)
    vi.advanceTimersByTime(1000)
    expect(buffers.take()).toBe(one)
  } finally {
    vi.useRealTimers()
  }
})
