/** Converts streams of JSON lines for answers: refs get the names of their projects. */
import type { ProjectRegister } from '../../domain/projects/register.js'
import { wholeLines } from '../../platform/json/lines.js'
import { wireTexts } from '../objects/external-refs.js'

const INTERNAL = 'weave-trace-internal:///'

/** The same lines with refs in wire form. Pieces without refs pass as they are. */
export async function* wireLines(
  register: ProjectRegister,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const lines of wholeLines(pieces))
    yield lines.includes(INTERNAL)
      ? Buffer.from((await wireTexts(register, lines.toString().split('\n'))).join('\n'))
      : lines
}
