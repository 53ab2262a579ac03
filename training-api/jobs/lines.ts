/** Reads lines of training data and stores them as artifacts. Doesn't know their source. */
import { createHash } from 'node:crypto'
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Threads } from '../threads/threads.js'
import type { DataLine } from './conversation.js'
import type { DataQuota } from './data-quota.js'
import { trainingProblems } from './problems.js'

/** The longest line; longer ones are refused before they are held whole. */
const LONGEST_LINE = 64 * 2 ** 20
const PIECE = 256 * 1024
const LONGEST_PIECE = 4 * 2 ** 20

/** The stored lines. */
export interface StoredLines {
  sha256: string
  bytes: number
  /** lines */
  count: number
}

/**
 * Stores JSON texts, one per line, within the quota. If `lines` or the quota throws, nothing is stored.
 * @param seal makes what is stored of each piece; default: the piece itself
 */
export async function storeLines(
  artifacts: Artifacts,
  key: string,
  lines: AsyncIterable<string>,
  quota: DataQuota,
  seal: (piece: Uint8Array) => Uint8Array = (piece) => piece,
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
      // A line may be long, and hashing it takes time.
      for (let at = 0; at < content.length; at += LONGEST_PIECE) {
        const piece = content.subarray(at, at + LONGEST_PIECE)
        hash.update(piece)
        yield seal(piece)
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

/** The lines as the project of this internal id may store them. */
export async function* maskedLines(
  store: Store,
  project_id: string,
  lines: AsyncIterable<string>,
): AsyncGenerator<string> {
  let held: string[] = []
  let size = 0
  const taken = async () => {
    const rows = held.map((content) => ({ project_id, content }))
    held = []
    size = 0
    return (await store.changed('files', rows)).map(({ content }) => content)
  }
  for await (const line of lines) {
    held.push(line)
    size += line.length
    if (size >= PIECE) yield* await taken()
  }
  if (held.length > 0) yield* await taken()
}

/** Yields a file's lines, numbered from 1. @throws `BAD_TRAINING_DATA` (400) for a line that is too long */
export async function* numberedLines(
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
    // The chunk's memory may be reused.
    rest.push(Buffer.from(chunk.subarray(from)))
    size += chunk.length - from
    if (size > LONGEST_LINE)
      throw trainingProblems.badData(`Line ${number + 1} of the training data is longer than 64 MiB.`)
  }
  yield line()
}

/** Yields the lines of a file that was already checked. */
export async function* plainLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { bytes } of numberedLines(chunks)) {
    const text = bytes.toString('utf8').trim()
    if (text !== '') yield text
  }
}

/**
 * Checks and yields the conversations, or the pairs of answers, of a file of JSON lines, as JSON texts without line breaks.
 * @throws `BAD_TRAINING_DATA` (400) with the line's number
 */
export async function* conversations(
  threads: Threads,
  chunks: AsyncIterable<Uint8Array>,
  kind: DataLine['kind'],
): AsyncGenerator<string> {
  for await (const { bytes, number } of numberedLines(chunks)) {
    const line = await threads.run('conversation', { bytes, number, kind }, bytes.length)
    if (line !== '') yield line
  }
}
