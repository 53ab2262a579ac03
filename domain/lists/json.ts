/** Streams long answers: JSON lines, and lists inside an object. Sends nothing before the first piece is available. */

/** Maps each row of each piece. */
export async function* mapPieces<In, Out>(
  pieces: AsyncIterable<readonly In[]>,
  change: (row: In) => Out,
): AsyncGenerator<Out[]> {
  for await (const piece of pieces) yield piece.map(change)
}

/** One JSON text per line. */
export async function* jsonLines(pieces: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

/** `{"<key>":[…]}` of finished JSON texts. */
export async function* jsonList(
  key: string,
  pieces: AsyncIterable<readonly string[]>,
): AsyncGenerator<Uint8Array> {
  const head = `{${JSON.stringify(key)}:[`
  let before = head
  for await (const texts of pieces) {
    if (texts.length === 0) continue
    yield Buffer.from(before + texts.join(','))
    before = ','
  }
  yield Buffer.from(before === head ? `${head}]}` : ']}')
}
