/** Concatenates all pieces into one buffer. @throws RangeError if they have more than `most` bytes; default: no limit */
export async function collect(
  pieces: AsyncIterable<Uint8Array>,
  most = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const all: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > most) throw new RangeError(`more than ${most} bytes`)
    all.push(piece)
  }
  return Buffer.concat(all)
}
