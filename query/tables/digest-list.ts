/** The digests of a table's rows in one piece of memory: a million of them are a million strings otherwise. */

export class DigestList {
  /** `ends[i]`: where the `i`th digest ends in `bytes` */
  private constructor(
    private readonly bytes: Buffer,
    private readonly ends: Uint32Array,
  ) {}

  /** Reads digests that each end in a line break; none of them has one inside. The memory is used on. */
  static ofLines(text: Buffer): DigestList {
    let count = 0
    for (let at = text.indexOf(0x0a); at >= 0; at = text.indexOf(0x0a, at + 1)) count++
    const ends = new Uint32Array(count)
    let to = 0
    let from = 0
    for (let i = 0; i < count; i++) {
      const end = text.indexOf(0x0a, from)
      text.copyWithin(to, from, end)
      to += end - from
      ends[i] = to
      from = end + 1
    }
    return new DigestList(text.subarray(0, to), ends)
  }

  get length(): number {
    return this.ends.length
  }

  at(index: number): string {
    return this.bytes.toString('utf8', this.ends[index - 1] ?? 0, this.ends[index])
  }

  /** The digests of a range, joined. */
  joined(from: number, to: number): Uint8Array {
    return this.bytes.subarray(this.ends[from - 1] ?? 0, this.ends[to - 1] ?? 0)
  }
}
