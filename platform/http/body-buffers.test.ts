import { expect, it } from 'vitest'
import { BodyBuffers } from './body-buffers.js'

it('gives memory that was given back to the next body of about that size', () => {
  const buffers = new BodyBuffers(1_000_000)
  const first = buffers.take(200_000)
  expect(first.length).toBe(200_000)
  const { buffer } = first
  buffers.give(first)
  expect(buffers.take(90_000).buffer).not.toBe(buffer)
  const second = buffers.take(195_000)
  expect(second.buffer).toBe(buffer)
  expect(second.length).toBe(195_000)
  expect(buffers.take(195_000).buffer).not.toBe(buffer)
})

it('keeps no more than its limit, and no small ones', () => {
  const buffers = new BodyBuffers(300_000)
  const [one, two, small] = [buffers.take(200_000), buffers.take(200_000), buffers.take(100)]
  for (const body of [one, two, small]) buffers.give(body)
  expect(buffers.take(200_000).buffer).toBe(one.buffer)
  expect(buffers.take(200_000).buffer).not.toBe(two.buffer)
  expect(small.buffer.byteLength).toBe(100)
})
