/** Lines of training data on their way into the artifact store. Knows nothing of where they come from. */
import { createHash } from 'node:crypto'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import type { Threads } from '../threads/threads.js'
import type { DataQuota } from './data-quota.js'
import { trainingProblems } from './problems.js'

/** Longer lines are refused before they are held. */
const LONGEST_LINE = 64 * 2 ** 20
const PIECE = 256 * 1024
const LONGEST_PIECE = 4 * 2 ** 20

/** What was stored. */
export interface StoredLines {
  sha256: string
  bytes: number
  /** lines */
  count: number
}

/** Stores JSON texts, one a line, as far as there is room; when `lines` throws, or the room, nothing is. */
export async function storeLines(
  artifacts: Artifacts,
  key: string,
  lines: AsyncIterable<string>,
  quota: DataQuota,
): Promise<StoredLines> {
  const hash = createHash('sha256')
  let bytes = 0
  let count = 0
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let held: string[] = []
    let size = 0
    function* taken(): Generator<Uint8Array> {
      const content = Buffer.from(held.join(''))
      held = []
      size = 0
      bytes += content.length
      quota.take(content.length)
      // One line alone may be long, and its hash takes time.
      for (let at = 0; at < content.length; at += LONGEST_PIECE) {
        const piece = content.subarray(at, at + LONGEST_PIECE)
        hash.update(piece)
        yield piece
      }
    }
    for await (const line of lines) {
      held.push(line, '\n')
      size += line.length + 1
      count++
      if (size >= PIECE) yield* taken()
    }
    if (size > 0) yield* taken()
  }
  await artifacts.write(key, pieces())
  return { sha256: hash.digest('hex'), bytes, count }
}

/** The lines of a file with their numbers from 1. @throws `BAD_TRAINING_DATA` (400) for one that is too long */
async function* numbered(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ bytes: Buffer; number: number }> {
  let rest: Buffer[] = []
  let size = 0
  let number = 0
  const line = () => {
    number++
    const bytes = Buffer.concat(rest)
    rest = []
    size = 0
    return { bytes, number }
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      rest.push(Buffer.from(chunk.buffer, chunk.byteOffset + from, end - from))
      yield line()
      from = end + 1
    }
    if (from === chunk.length) continue
    // The chunk's memory may be used again.
    rest.push(Buffer.from(chunk.subarray(from)))
    size += chunk.length - from
    if (size > LONGEST_LINE)
      throw trainingProblems.badData(`Line ${number + 1} of the training data is longer than 64 MiB.`)
  }
  yield line()
}

/** The lines of a file that was checked before. */
export async function* plainLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { bytes } of numbered(chunks)) {
    const text = bytes.toString('utf8').trim()
    if (text !== '') yield text
  }
}

/**
 * The conversations of a file of JSON lines, each checked, as JSON texts without line breaks.
 * @throws `BAD_TRAINING_DATA` (400) that names the line
 */
export async function* conversations(
  threads: Threads,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  for await (const { bytes, number } of numbered(chunks)) {
    const line = await threads.run('conversation', { bytes, number }, bytes.length)
    if (line !== '') yield line
  }
}
