/** The few files of the log: how many there are on disk. */
import { readdirSync, rmSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { SegmentPool } from './pool.js'
import { newFolder } from './testing/logged-engine.js'

test('files that hold nothing are given back to the disk when none is needed for a while, and made again', async () => {
  const folder = newFolder()
  try {
    const pool = new SegmentPool(folder, 2, 10_000, 1)
    const [one, two] = [await pool.take(), await pool.take()]
    await pool.giveBack(one)
    expect(await pool.take()).toBe(one)
    await pool.giveBack(one)
    await pool.giveBack(two)
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), { timeout: 10_000 })
    const again = [await pool.take(), await pool.take()]
    expect(readdirSync(folder)).toHaveLength(2)
    for (const segment of again) await pool.giveBack(segment, true)
    expect(readdirSync(folder)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
