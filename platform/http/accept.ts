/** What the header `accept` says. */

const KNOWN = ['application/jsonl', 'application/x-ndjson', 'application/json']

/**
 * The caller's most preferred type among those that mean JSON lines here; JSON Lines if it accepts none of them, since
 * an answer under another name is more useful than none.
 */
export function linesType(accept: string | undefined): string {
  const wishes = (accept ?? '').split(',').map((part, position) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { type, quality: quality === undefined ? 1 : Number(quality), position }
  })
  const best = wishes
    .filter(({ type, quality }) => KNOWN.includes(type) && quality > 0)
    .sort((a, b) => b.quality - a.quality || a.position - b.position)
  return best[0]?.type ?? KNOWN[0]!
}

/** True for a program that takes JSON alone. */
export function takesOnlyJson(accept: string | undefined): boolean {
  return mediaType(accept ?? '') === 'application/json'
}

/** True for a browser that opens an address: other programs take anything, or name what they want. */
export function acceptsPages(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((part) => mediaType(part) === 'text/html')
}

/** Of one entry, without its parameters. */
function mediaType(entry: string): string {
  return entry.split(';')[0]!.trim().toLowerCase()
}
