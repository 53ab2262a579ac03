/** Bytes as lines of text, one at a time. Knows nothing of what is in them. */

/**
 * The lines of UTF-8 text, without their ends; the last one may lack its own.
 * @param longest letters of a line: where one has more, `tooLong` says what is thrown
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
