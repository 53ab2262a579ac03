/** Cuts a stream of lines into batches of whole lines, for processing many lines at once. Does not parse them. */

/** The most lines and bytes of a batch. */
const LINES = 500
const BYTES = 4 << 20
const NEWLINE = 0x0a

/** Yields whole lines without line ends, in batches of bounded size. */
export async function* lineBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  let lines: Buffer[] = []
  let bytes = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE, from)) {
      lines.push(rest.subarray(from, end))
      bytes += end - from
      from = end + 1
      if (lines.length < LINES && bytes < BYTES) continue
      yield lines
      lines = []
      bytes = 0
    }
    rest = rest.subarray(from)
  }
  if (rest.length > 0) lines.push(rest)
  if (lines.length > 0) yield lines
}
