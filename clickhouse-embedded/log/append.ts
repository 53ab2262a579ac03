/** Takes inserts for the log over a stream of bytes from the parent: the short way beside the protocol's. */
import type { Duplex } from 'node:stream'
import { APPENDED, type Frame, FrameReader, frameHead } from '../../platform/clickhouse/append-frames.js'
import { Lru } from '../../platform/lru/lru.js'
import { engineFailure, statusOf } from '../engine/failure.js'
import { readParameters } from '../http/parameters.js'
import { readStatement } from '../sql/statement.js'
import type { LogGate } from './gate.js'
import type { Opening } from './index-region.js'
import { rowsOfNative } from './native-block.js'
import type { WriteLog } from './write-log.js'

/** Addresses whose meaning is remembered: callers send the same few. */
const KNOWN = 1000

/** Answers the inserts that come over `stream`, each when it is on disk. */
export function serveAppends(stream: Duplex, log: WriteLog, gate: LogGate): void {
  const known = new Lru<{ opening: Opening | undefined }>(KNOWN)

  const openingOf = (address: string): Opening | undefined => {
    let entry = known.get(address)
    if (!entry) {
      entry = { opening: readOpening(address, gate) }
      known.set(address, entry)
    }
    return entry.opening
  }

  const outcomeOf = async ({ text, chunks, length }: Frame): Promise<[tag: number, text: string]> => {
    const opening = openingOf(text)
    if (!opening) return [APPENDED.never, '']
    const rows = rowsOfNative(chunks)
    if (rows === 0 || !log.takes(opening, length)) return [APPENDED.later, '']
    try {
      await log.roomFor(length)
      await log.append(opening, { chunks, length, rows })
      return [APPENDED.done, String(rows)]
    } catch (error) {
      const { code, message } = engineFailure(error)
      return [statusOf(code), message]
    }
  }

  const reader = new FrameReader((frame) => {
    void outcomeOf(frame).then(([tag, text]) => {
      if (!stream.destroyed) stream.write(frameHead(frame.id, tag, text))
    })
  })
  stream.on('data', (chunk: Buffer) => reader.push(chunk))
  // The parent has gone, and so does this process.
  stream.on('error', () => undefined)
}

/** What rows sent to this address are logged under; undefined where they are none for the log. */
function readOpening(address: string, gate: LogGate): Opening | undefined {
  try {
    const parameters = readParameters(new Map(new URLSearchParams(address)), false)
    const query = parameters.query ?? ''
    const statement = readStatement(query)
    if (statement.kind !== 'data-insert' || query.slice(statement.dataStart).trim() !== '') return undefined
    return gate.openingOf(statement, parameters, 'none')
  } catch {
    // As a statement it gets the error.
    return undefined
  }
}
