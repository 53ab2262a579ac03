import { expect, it, vi } from 'vitest'
import { Slabs } from './buffer-pool.js'

it('makes no more pieces than it may, and hands out again what came back', () => {
  const slabs = new Slabs(2)
  const one = slabs.take()!
  const two = slabs.take()!
  expect(two).not.toBe(one)
  expect(slabs.take()).toBe(undefined)
  slabs.give(one)
  expect(slabs.take()).toBe(one)
  expect(slabs.take()).toBe(undefined)
})

it('lets a piece rest that somebody may still be reading', () => {
  vi.useFakeTimers()
  try {
    const slabs = new Slabs(1)
    const one = slabs.take()!
    slabs.giveLater(one)
    vi.advanceTimersByTime(59_000)
    expect(slabs.take()).toBe(undefined)
    vi.advanceTimersByTime(1000)
    expect(slabs.take()).toBe(one)
  } finally {
    vi.useRealTimers()
  }
})
