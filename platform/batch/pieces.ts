/** Cuts lists into pieces, to bound how much is held at once. Pure. */

export interface PieceLimits {
  items: number
  bytes: number
}

/** The items in order, in pieces within both limits; a single item may exceed them. */
export function* piecesOf<T>(
  items: Iterable<T>,
  sizeOf: (item: T) => number,
  limits: PieceLimits,
): Generator<T[]> {
  let piece: T[] = []
  let bytes = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (piece.length > 0 && (piece.length >= limits.items || bytes + size > limits.bytes)) {
      yield piece
      piece = []
      bytes = 0
    }
    piece.push(item)
    bytes += size
  }
  if (piece.length > 0) yield piece
}
