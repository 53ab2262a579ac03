/** Streams of JSON lines on their way out: refs get the names of their projects, and lines become lists. Pure but for names. */
import type { ProjectRegister } from '../../domain/projects/register.js'
import { wireTexts } from '../objects/external-refs.js'

const INTERNAL = 'weave-trace-internal:///'
const NEWLINE = 0x0a

/** The same lines with refs in wire form. Pieces without refs pass as they are. */
export async function* wireLines(
  register: ProjectRegister,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece])
    const end = bytes.lastIndexOf(NEWLINE) + 1
    rest = bytes.subarray(end)
    if (end > 0) yield await wire(register, bytes.subarray(0, end))
  }
  if (rest.length > 0) yield await wire(register, Buffer.from(rest))
}

async function wire(register: ProjectRegister, lines: Buffer): Promise<Uint8Array> {
  if (!lines.includes(INTERNAL)) return lines
  const texts = lines.toString().split('\n')
  return Buffer.from((await wireTexts(register, texts)).join('\n'))
}

/** `{"rows":[…]}` of lines. */
export async function* rowsOf(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let before = '{"rows":['
  for await (const piece of lines) {
    // Line breaks only stand between rows: inside JSON text they are escaped.
    const text = Buffer.from(piece)
    for (let at = text.indexOf(NEWLINE); at >= 0 && at < text.length - 1; at = text.indexOf(NEWLINE, at + 1))
      text[at] = 0x2c
    yield Buffer.concat([Buffer.from(before), text.subarray(0, text.at(-1) === NEWLINE ? -1 : text.length)])
    before = ','
  }
  yield Buffer.from(before === ',' ? ']}' : `${before}]}`)
}
