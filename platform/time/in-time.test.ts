import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { inTime } from './in-time.js'

it('ends what does not end by itself', () => {
  expect(
    inTime(() => {
      for (;;);
    }),
  ).toBeUndefined()
})

it('gives work its time, however much other threads of the process take', async () => {
  const others = Array.from({ length: 8 }, () => new Worker('for (;;);', { eval: true }))
  try {
    await Promise.all(others.map((other) => new Promise((resolve) => other.once('online', resolve))))
    expect(inTime(sum)).toBe(19_999_999 * 10_000_000)
  } finally {
    await Promise.all(others.map((other) => other.terminate()))
  }
})

/** Some tens of milliseconds of work. */
function sum(): number {
  let total = 0
  for (let n = 0; n < 20_000_000; n++) total += n
  return total
}
