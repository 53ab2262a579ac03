/** A page of the lines of a file as JSON, in bounded memory, without parsing them: they were checked when they were stored. */

/** Longer lines are named, not shown. */
const LONGEST = 2 ** 20
/** Of a page. */
const MOST_BYTES = 4 * 2 ** 20
const NEWLINE = 0x0a

/**
 * @param content the bytes of `range` in the file; undefined: there are none
 * @param limit most lines; fewer are given where they are long, but at least one
 * @returns JSON text of the page
 */
export async function samplePage(
  content: AsyncIterable<Uint8Array> | undefined,
  { from, to }: { from: number; to: number },
  limit: number,
): Promise<string> {
  const items: string[] = []
  let end = from
  let shown = 0
  for await (const { size, bytes } of boundedLines(content ?? [])) {
    if (items.length > 0 && (items.length === limit || shown + (bytes?.length ?? 0) > MOST_BYTES)) break
    end += size
    shown += bytes?.length ?? 0
    items.push(`{"id":"${end}","bytes":${size},"sample":${bytes === undefined ? 'null' : bytes.toString()}}`)
    // Nothing more is read than is asked for.
    if (items.length === limit) break
  }
  const id = (item: string | undefined) => JSON.stringify(/^\{"id":"(\d+)"/.exec(item ?? '')?.[1] ?? '')
  return `{"object":"list","data":[${items.join(',')}],"has_more":${items.length > 0 && end < to},"first_id":${id(items[0])},"last_id":${id(items.at(-1))}}`
}

/** The lines without their ends, and their sizes with them; a long one without its bytes. */
async function* boundedLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<{ size: number; bytes: Buffer | undefined }> {
  let held: Buffer[] = []
  let size = 0
  const line = (end: number) => {
    const bytes = size <= LONGEST ? Buffer.concat(held) : undefined
    const found = { size: size + end, bytes }
    held = []
    size = 0
    return found
  }
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(NEWLINE, from)
      const to = at < 0 ? chunk.length : at
      size += to - from
      // The chunk's memory may be reused.
      if (size <= LONGEST) held.push(Buffer.from(chunk.subarray(from, to)))
      else held = []
      if (at >= 0) yield line(1)
      from = to + 1
    }
  }
  if (size > 0) yield line(0)
}
