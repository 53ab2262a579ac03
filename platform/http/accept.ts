/** Which content type a stream of JSON lines is sent under. Knows only the header. */

const KNOWN = ['application/jsonl', 'application/x-ndjson', 'application/json']

/**
 * The first type that the caller prefers among those that mean JSON lines here; JSON Lines where it names none of them:
 * an answer under another name is of more use than none.
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
