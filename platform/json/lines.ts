/** Splits byte streams into lines. */

/**
 * The lines of UTF-8 text without line ends; the last one may lack a line end.
 * @param longest most characters of a line; beyond it, throws the error made by `tooLong`
 */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  longest = Number.POSITIVE_INFINITY,
  tooLong: () => Error = () => new RangeError('A line is too long.'),
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longest) throw tooLong()
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

const NEWLINE = 0x0a

/** The same bytes in pieces that end at line ends. */
export async function* wholeLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece])
    const end = bytes.lastIndexOf(NEWLINE) + 1
    rest = bytes.subarray(end)
    if (end > 0) yield bytes.subarray(0, end)
  }
  if (rest.length > 0) yield rest
}

/** The lines of bytes, each with its end. */
export async function* byteLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const block of wholeLines(pieces)) {
    for (let from = 0; from < block.length; ) {
      const to = block.indexOf(NEWLINE, from) + 1 || block.length
      yield block.subarray(from, to)
      from = to
    }
  }
}
