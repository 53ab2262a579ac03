/** Streams JSON lines as a list inside an object, as bytes, without parsing. */

const NEWLINE = 0x0a
const COMMA = 0x2c

/**
 * Yields `{"name":[…]`, leaving the object open for more members. Yields nothing before the first line arrives: if the
 * lines fail at once, the answer has not begun.
 * @param lines JSON values, one per line, in chunks that end anywhere
 * @returns how many there were
 */
export async function* listMember(
  name: string,
  lines: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, number> {
  const head = `{"${name}":[`
  let before = head
  let count = 0
  for await (const piece of lines) {
    if (piece.length === 0) continue
    // Line breaks occur only between values: inside JSON text they are escaped. A comma is sent with what follows it.
    const text = Buffer.from(piece)
    const last = text.length - 1
    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) {
      count++
      if (at < last) text[at] = COMMA
    }
    const ends = text[last] === NEWLINE
    yield Buffer.concat([Buffer.from(before), ends ? text.subarray(0, last) : text])
    before = ends ? ',' : ''
  }
  yield Buffer.from(before === head ? `${head}]` : ']')
  return count
}

/** Yields `{"name":[…]}`, the complete object. */
export async function* listObject(
  name: string,
  lines: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* listMember(name, lines)
  yield Buffer.from('}')
}
