import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Overflow } from './overflow.js'
import { readAhead } from './read-ahead.js'

const MIB = 1 << 20
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-unit-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Bytes that tell their place come again after so many. */
const PERIOD = Buffer.from(Array.from({ length: 251 }, (_, i) => (i * 31) % 251))
/** `size` bytes of a result, from `at` on. */
const bytesAt = (at: number, size: number) => {
  const [before, after] = [PERIOD.subarray(0, at % 251), PERIOD.subarray(at % 251)]
  return Buffer.alloc(size, Buffer.concat([after, before]))
}

/** A result of `size` bytes whose bytes tell their place; says how much of it was taken. */
function result(size: number, chunk = 64 << 10) {
  const state = { taken: 0, ended: false, failure: undefined as Error | undefined }
  const cancelled = new AbortController()
  async function* bytes() {
    try {
      for (let at = 0; at < size && !cancelled.signal.aborted; at += chunk) {
        const piece = bytesAt(at, Math.min(chunk, size - at))
        state.taken = at + piece.length
        yield piece
        // As from a socket.
        await new Promise(setImmediate)
      }
      if (state.failure) throw state.failure
    } finally {
      state.ended = true
    }
  }
  return { state, bytes: bytes(), cancel: () => cancelled.abort() }
}

const ahead = (source: ReturnType<typeof result>, overflow: Overflow) =>
  readAhead(source.bytes, source.cancel, overflow)

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

const expected = (size: number) => bytesAt(0, size)

describe('a result that is taken ahead of its reader', () => {
  it('ends at the store while its reader stands still, and is whole', async () => {
    const source = result(20 * MIB)
    const reading = ahead(source, new Overflow({ folder, bytes: 100 * MIB }))
    const first = (await reading.next()).value as Uint8Array
    await expect.poll(() => source.state.ended, { timeout: 10_000 }).toBe(true)
    expect(source.state.taken).toBe(20 * MIB)
    expect(readdirSync(folder)).toEqual([])
    const rest = await whole(reading)
    expect(Buffer.concat([first, rest]).equals(expected(20 * MIB))).toBe(true)
  })

  it('stays in memory for a reader that keeps up', async () => {
    const overflow = new Overflow({ folder, bytes: 100 * MIB })
    overflow.open = () => Promise.reject(new Error('there is no need'))
    const bytes = await whole(ahead(result(20 * MIB), overflow))
    expect(bytes.length).toBe(20 * MIB)
  })

  it('waits at the store when the file is full, and goes on when it was read', async () => {
    const source = result(20 * MIB)
    const overflow = new Overflow({ folder, bytes: 16 * MIB })
    const reading = ahead(source, overflow)
    const first = (await reading.next()).value as Uint8Array
    await expect.poll(() => overflow.stuck, { timeout: 10_000 }).toBe(1)
    // The window, a file of a quarter, and what is under way.
    expect(source.state.taken).toBeLessThan(6 * MIB)
    const rest = await whole(reading)
    expect(Buffer.concat([first, rest]).equals(expected(20 * MIB))).toBe(true)
  })

  it.each([
    ['there is no folder', () => join(folder, 'no\0thing'), 100 * MIB],
    ['there is no room', () => folder, 0],
  ])('waits at the store where %s', async (_, where, bytes) => {
    const overflow = new Overflow({ folder: where(), bytes })
    const source = result(3 * MIB)
    const reading = ahead(source, overflow)
    await reading.next()
    await expect.poll(() => overflow.stuck, { timeout: 10_000 }).toBe(1)
    expect((await whole(reading)).length).toBeGreaterThan(2 * MIB)
  })

  it('gives its error after the bytes before it', async () => {
    const source = result(4 * MIB)
    source.state.failure = new Error('at the end')
    const reading = ahead(source, new Overflow({ folder, bytes: 100 * MIB }))
    await reading.next()
    await expect.poll(() => source.state.ended, { timeout: 10_000 }).toBe(true)
    let read = 0
    const rest = (async () => {
      for await (const piece of reading) read += piece.length
    })()
    await expect(rest).rejects.toThrow('at the end')
    expect(read).toBe(4 * MIB - (64 << 10))
  })

  it('is given up when its reader goes, and gives its room back', async () => {
    const overflow = new Overflow({ folder, bytes: 16 * MIB })
    for (let n = 0; n < 8; n++) {
      const source = result(20 * MIB)
      const reading = ahead(source, overflow)
      await reading.next()
      await expect.poll(() => overflow.stuck, { timeout: 10_000 }).toBe(1)
      await reading.return(undefined)
      expect(source.state.ended).toBe(true)
      expect(overflow.stuck).toBe(0)
    }
    expect(overflow.take(16 * MIB)).toBe(true)
  })

  it('is let go when it stands still among too many, with what was taken', async () => {
    const overflow = new Overflow({ folder, bytes: 0 })
    const sources = Array.from({ length: 6 }, () => result(8 * MIB))
    const readings = sources.map((source) => ahead(source, overflow))
    await Promise.all(readings.map((reading) => reading.next()))
    await expect.poll(() => sources.filter(({ state }) => state.ended).length, { timeout: 20_000 }).toBe(3)
    const ends = await Promise.allSettled(readings.map(whole))
    const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('READER_STALLED'))
  })

  it('is the same whatever the sizes and the pace', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 * MIB }),
        fc.integer({ min: 1000, max: 400_000 }),
        fc.integer({ min: 0, max: 12 * MIB }),
        fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 12 }),
        async (size, chunk, bytes, pauses) => {
          const read: Uint8Array[] = []
          const turn = [...pauses]
          for await (const piece of ahead(result(size, chunk), new Overflow({ folder, bytes }))) {
            read.push(piece)
            const ms = turn.shift()
            if (ms !== undefined) await new Promise((resolve) => setTimeout(resolve, ms))
          }
          expect(Buffer.concat(read).equals(expected(size))).toBe(true)
        },
      ),
      { numRuns: 25 },
    )
  })
})
