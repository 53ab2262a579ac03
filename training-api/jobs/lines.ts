/** Lines of training data on their way into the artifact store. Knows nothing of where they come from. */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { conversationFault } from '../../domain/training/conversations.js'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import type { DataRoom } from './data-room.js'
import { trainingProblems } from './problems.js'

/** Longer lines are refused before they are held. */
const LONGEST_LINE = 64 * 2 ** 20
const PIECE = 256 * 1024

/** What was stored. */
export interface Spooled {
  sha256: string
  bytes: number
  /** lines */
  count: number
}

/** Stores JSON texts, one a line, as far as there is room; when `lines` throws, or the room, nothing is. */
export async function spool(
  artifacts: Artifacts,
  key: string,
  lines: AsyncIterable<string>,
  room: DataRoom,
): Promise<Spooled> {
  const hash = createHash('sha256')
  let bytes = 0
  let count = 0
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let held: string[] = []
    let size = 0
    const piece = () => {
      const content = Buffer.from(held.join(''))
      held = []
      size = 0
      hash.update(content)
      bytes += content.length
      room.take(content.length)
      return content
    }
    for await (const line of lines) {
      held.push(line, '\n')
      size += line.length + 1
      count++
      if (size >= PIECE) yield piece()
    }
    if (size > 0) yield piece()
  }
  await artifacts.write(key, pieces())
  return { sha256: hash.digest('hex'), bytes, count }
}

/** The lines of a file with their numbers from 1, without those that hold nothing. @throws `BAD_TRAINING_DATA` (400) */
async function* numbered(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ text: string; number: number }> {
  let rest: Buffer[] = []
  let size = 0
  let number = 0
  const line = () => {
    number++
    const bytes = Buffer.concat(rest)
    rest = []
    size = 0
    if (!isUtf8(bytes)) throw trainingProblems.badData(`Line ${number} of the training data is not UTF-8.`)
    return bytes.toString('utf8').trim()
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      rest.push(Buffer.from(chunk.buffer, chunk.byteOffset + from, end - from))
      const text = line()
      if (text !== '') yield { text, number }
      from = end + 1
    }
    if (from === chunk.length) continue
    // The chunk's memory may be used again.
    rest.push(Buffer.from(chunk.subarray(from)))
    size += chunk.length - from
    if (size > LONGEST_LINE)
      throw trainingProblems.badData(`Line ${number + 1} of the training data is longer than 64 MiB.`)
  }
  const text = line()
  if (text !== '') yield { text, number }
}

/** The lines of a file that was checked before. */
export async function* plainLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { text } of numbered(chunks)) yield text
}

/**
 * The conversations of a file of JSON lines, each checked, as JSON texts without line breaks.
 * @throws `BAD_TRAINING_DATA` (400) that names the line
 */
export async function* conversations(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { text, number } of numbered(chunks)) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      throw trainingProblems.badData(
        `Line ${number} of the training data is not JSON (${(error as Error).message}); write one conversation a line.`,
      )
    }
    const why = conversationFault(value)
    if (why !== undefined)
      throw trainingProblems.badData(`Line ${number} of the training data can't be used: ${why}.`)
    yield JSON.stringify(value)
  }
}
