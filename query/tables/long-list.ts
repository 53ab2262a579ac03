/** A list of texts that takes and gives in its middle without moving all that follows. */

const PIECE = 2048

export class LongList {
  private readonly pieces: string[][] = []
  length = 0

  constructor(items: readonly string[]) {
    for (let at = 0; at < items.length; at += PIECE) this.pieces.push(items.slice(at, at + PIECE))
    this.length = items.length
  }

  /** Puts `item` before the one at `index`, or at the end if there is none. */
  insert(index: number, item: string): void {
    this.length++
    const [piece, at] = this.place(index)
    const items = this.pieces[piece]
    if (!items) {
      this.pieces.push([item])
      return
    }
    items.splice(at, 0, item)
    if (items.length > 2 * PIECE) this.pieces.splice(piece + 1, 0, items.splice(PIECE))
  }

  push(item: string): void {
    this.insert(this.length, item)
  }

  /** Takes out the item at `index`, which must be there. */
  remove(index: number): string {
    const [piece, at] = this.place(index)
    const items = this.pieces[piece]!
    const [item] = items.splice(at, 1)
    if (items.length === 0) this.pieces.splice(piece, 1)
    this.length--
    return item!
  }

  toArray(): string[] {
    return this.pieces.flat()
  }

  /** The piece that holds `index` and where in it; the end of the list is the end of the last piece. */
  private place(index: number): [number, number] {
    let left = index
    for (let piece = 0; piece < this.pieces.length; piece++) {
      const size = this.pieces[piece]!.length
      const last = piece === this.pieces.length - 1
      if (left < size || (last && left === size)) return [piece, left]
      left -= size
    }
    return [this.pieces.length, 0]
  }
}
