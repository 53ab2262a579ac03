/**
 * Brings a file of the log into its table, once, however often that is tried: a file whose insert may have taken place is
 * looked for by its rows' keys first. Bodies that the engine refuses are found by halving, and set aside.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { engineFailure } from '../engine/failure.js'
import type { LogTarget } from './log-target.js'
import { isPassing, noSpace, outOfMemory } from './passing.js'
import type { SegmentPool } from './pool.js'
import { keepRefused } from './refused.js'
import type { DiskRoom } from './room.js'
import type { Segment } from './segment.js'

/** What could not be stored, for metrics and the log. */
export type Refused = { table: string; rows: number; file: string; cause: string }

export type FlushParts = {
  pool: SegmentPool
  room: DiskRoom
  target: LogTarget
  /** Folder for what the engine refuses. */
  refusedFolder: string
  onRefused(refused: Refused): void
  onRetry(cause: string): void
  /** For tests: told when a step is done, and may end it there. */
  onStep?: ((step: Step) => void) | undefined
}
/** The steps of a file's life, each of which a kill may follow. */
export type Step = 'written' | 'synced' | 'sealed' | 'inserted' | 'recycled'

/** Of a write of the engine, or of ours. */
const NO_SPACE = /ENOSPC|EDQUOT|No space left on device/
const firstWaitMs = 100
const longestWaitMs = 5_000

/**
 * Resolves when every row of `segment` is in its table, or set aside, and the file holds nothing.
 * @param isUnsure its insert may have taken place
 * @param tries how often it is tried before the engine's error is thrown; without end where not given
 */
export async function flushSegment(
  parts: FlushParts,
  segment: Segment,
  isUnsure = false,
  tries = Number.POSITIVE_INFINITY,
): Promise<void> {
  let waitMs = firstWaitMs
  for (let attempt = 1; ; attempt++) {
    try {
      await bring(parts, segment, isUnsure || attempt > 1)
      parts.room.note(false)
      return
    } catch (error) {
      if (attempt >= tries) throw error
      const { code, message } = engineFailure(error, segment.path)
      parts.room.note(code === noSpace || NO_SPACE.test(message))
      parts.onRetry(message)
      await sleep(waitMs)
      waitMs = Math.min(waitMs * 2, longestWaitMs)
    }
  }
}

async function bring(parts: FlushParts, segment: Segment, isUnsure: boolean): Promise<void> {
  const { target, pool } = parts
  const opening = segment.opening!
  if (segment.frames.length > 0) {
    await segment.terminate()
    parts.onStep?.('sealed')
    try {
      if (!(isUnsure && (await target.holds(opening, segment.path)))) {
        const written = await target.insert(opening, segment.path, segment.rows)
        if (written < segment.rows) await setAsideShort(parts, segment, written)
      }
    } catch (error) {
      const { code } = engineFailure(error)
      const isMany = segment.frames.length > 1
      if (isPassing(code) && !(code === outOfMemory && isMany)) throw error
      // An error may come after the part is there.
      if (!(await isThere(parts, segment))) {
        if (isMany) return await divide(parts, segment)
        await setAside(parts, segment, engineFailure(error, segment.path).message)
      }
    }
    parts.onStep?.('inserted')
  }
  await segment.free()
  parts.onStep?.('recycled')
  await pool.giveBack(segment, segment.isBroken)
}

/** True if the rows of a file are in its table; not where they can't even be read, as then they were never inserted. */
async function isThere({ target }: FlushParts, { opening, path }: Segment): Promise<boolean> {
  try {
    return await target.holds(opening!, path)
  } catch (error) {
    if (isPassing(engineFailure(error).code)) throw error
    return false
  }
}

/** Makes two files of one, and brings in each by itself. */
async function divide(parts: FlushParts, segment: Segment): Promise<void> {
  const middle = segment.frames.length >> 1
  const pieces: Segment[] = []
  try {
    for (const frames of [segment.frames.slice(0, middle), segment.frames.slice(middle)]) {
      const piece = await parts.pool.make()
      pieces.push(piece)
      piece.begin(parts.pool.generation(), { ...segment.opening!, pieceOf: segment.generation })
      for (const frame of frames) {
        const bytes = await segment.read(frame)
        await piece.write([{ chunks: [bytes], length: frame.length, rows: frame.rows }])
        await piece.sync()
      }
    }
  } catch (error) {
    for (const piece of pieces) await parts.pool.giveBack(piece, true)
    throw error
  }
  await segment.free()
  await parts.pool.giveBack(segment)
  for (const piece of pieces) await flushSegment(parts, piece)
}

/** Keeps a body that the engine refuses, with its reason, out of the way of all others. */
async function setAside(parts: FlushParts, segment: Segment, cause: string): Promise<void> {
  const { table } = segment.opening!
  const file = await keepRefused(parts.refusedFolder, segment, segment.frames[0]!, cause)
  parts.onRefused({ table, rows: segment.rows, file, cause })
}

/** A body that was not what it said has cut the insert short: nobody knows of which rows. */
async function setAsideShort(parts: FlushParts, segment: Segment, written: number): Promise<void> {
  const cause = `the engine took ${written} rows of ${segment.rows}`
  const all = { offset: 0, length: segment.bytes, rows: segment.rows }
  const file = await keepRefused(parts.refusedFolder, segment, all, cause)
  parts.onRefused({ table: segment.opening!.table, rows: segment.rows - written, file, cause })
}
