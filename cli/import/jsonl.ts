/** Calls from the lines of a file, as `heddle export` writes them. */
import { createReadStream, statSync } from 'node:fs'
import { JsonError } from '../../platform/json/error.js'
import { byteLines } from '../../platform/json/lines.js'
import { CommandError } from '../command.js'
import { unreadable } from '../named-file.js'
import { NotACall, objectIn, piecesOf } from './call-line.js'
import { MovedRefs } from './moved-refs.js'
import type { Piece } from './sink.js'
import type { Record, Stage } from './stage.js'

const NEWLINE = 0x0a
/** The most bytes of a line: no request may be as long. */
const LONGEST = 256 << 20

/** Bytes and lines before the next line. */
interface Position {
  bytes: number
  lines: number
}

/** @param file `-`: the standard input */
export function jsonlStages(file: string, project: string): Stage[] {
  if (file !== '-') checkFile(file)
  return [
    {
      name: 'calls',
      skips: 'blank lines and deleted calls',
      total: () => linesIn(file),
      read: (at) => callsOf(file, project, at as Position),
    },
  ]
}

async function* callsOf(file: string, project: string, at?: Position): AsyncGenerator<Record> {
  let { bytes, lines } = at ?? { bytes: 0, lines: 0 }
  if (file !== '-' && statSync(file).size < bytes)
    throw new CommandError(`${file} is shorter than it was; remove the checkpoint to begin anew`)
  const tooLong = () =>
    new CommandError(`line ${lines + 1} of ${file} is longer than 256 MiB: it is not a call`)
  for await (const line of linesFrom(file, bytes, tooLong)) {
    bytes += line.length
    lines++
    yield { pieces: piecesIn(line, project, `line ${lines} of ${file}`), position: { bytes, lines } }
  }
}

function piecesIn(line: Buffer, project: string, where: string): Piece[] {
  if (line.toString().trim() === '') return []
  try {
    const call = objectIn(line)
    return piecesOf(call, project, new MovedRefs(String(call.get('project_id')), project))
  } catch (error) {
    if (error instanceof NotACall || error instanceof JsonError)
      throw new CommandError(`${where} is not a call: ${error.message}`)
    throw error
  }
}

/** The lines after so many bytes, each with its end. @param tooLong see {@link byteLines} */
async function* linesFrom(file: string, bytes: number, tooLong: () => Error): AsyncGenerator<Buffer> {
  const isFile = file !== '-'
  const input: AsyncIterable<Buffer> = isFile ? createReadStream(file, { start: bytes }) : process.stdin
  let skip = isFile ? 0 : bytes
  for await (const line of byteLines(input, LONGEST, tooLong)) {
    if (skip <= 0) yield line
    skip -= line.length
  }
}

/** How many lines a file has: as fast as it can be read. */
async function linesIn(file: string): Promise<number> {
  if (file === '-') return 0
  let count = 0
  let last = NEWLINE
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count++
    last = chunk.at(-1) ?? last
  }
  return last === NEWLINE ? count : count + 1
}

function checkFile(file: string): void {
  try {
    if (statSync(file).isFile()) return
  } catch (error) {
    throw unreadable(file, error)
  }
  throw new CommandError(`${file} is not a file`, 2)
}
