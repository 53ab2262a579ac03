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

/**
 * The same bytes in pieces that end at line ends.
 * @param longest most bytes of a line; beyond it, throws the error made by `tooLong`
 */
export async function* wholeLines(
  pieces: AsyncIterable<Uint8Array>,
  longest = Number.POSITIVE_INFINITY,
  tooLong: () => Error = () => new RangeError('A line is too long.'),
): AsyncGenerator<Buffer> {
  // Put together once: a long line comes in many pieces.
  let rest: Buffer[] = []
  let held = 0
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      yield Buffer.concat([...rest, piece.subarray(0, end)])
      rest = []
      held = 0
    }
    if (end < piece.length) rest.push(Buffer.from(piece.subarray(end)))
    held += piece.length - end
    if (held > longest) throw tooLong()
  }
  if (held > 0) yield Buffer.concat(rest)
}

/** The lines of bytes, each with its end. @param longest see {@link wholeLines} */
export async function* byteLines(
  pieces: AsyncIterable<Uint8Array>,
  longest?: number,
  tooLong?: () => Error,
): AsyncGenerator<Buffer> {
  for await (const block of wholeLines(pieces, longest, tooLong)) {
    for (let from = 0; from < block.length; ) {
      const to = block.indexOf(NEWLINE, from) + 1 || block.length
      yield block.subarray(from, to)
      from = to
    }
  }
}
