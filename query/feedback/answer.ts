/** The answer of a list of feedback, made of lines as they come: bytes, no row becomes an object. Knows no field. */

const NEWLINE = 0x0a
const COMMA = 0x2c

/**
 * @param lines JSON objects, a line each
 * @param total how many there are; undefined: as many as lines
 */
export async function* listAnswer(
  lines: AsyncIterable<Uint8Array>,
  total: Promise<{ count: number } | undefined> | undefined,
): AsyncGenerator<Uint8Array> {
  let before = '{"result":['
  let count = 0
  let open = false
  for await (const piece of lines) {
    // Line breaks only stand between objects: inside JSON text they are escaped. A comma goes out with what follows it.
    const text = Buffer.from(piece)
    const last = text.length - 1
    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) {
      count++
      if (at < last) text[at] = COMMA
    }
    const ends = text[last] === NEWLINE
    yield Buffer.concat([Buffer.from(before), ends ? text.subarray(0, last) : text])
    before = ends ? ',' : ''
    open = true
  }
  const sum = total ? Number((await total)?.count ?? 0) : count
  yield Buffer.from(`${open ? '' : before}],"total_count":${sum}}`)
}
