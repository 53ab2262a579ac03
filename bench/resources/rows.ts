/**
 * Bodies of `/table/create` that are built once and stamped before each use: each row's id and rank are overwritten in
 * place, so every row is new and costs the load little. Row `n` of a table is known by its number.
 */
import { Chance, prose } from '../load/text.js'

/** A prime above a million: numbers below it get ranks of their own. */
const PRIME = 1_000_003

/** What row `n` is called. */
export function idOf(n: number): string {
  return String(n).padStart(10, '0')
}

/** What row `n` is sorted by: a number of seven digits that looks like chance. */
export function rankOf(n: number): number {
  return 1_000_000 + ((n * 7_919) % PRIME)
}

export class RowBody {
  private readonly pieces: { head: Buffer; rows: { bytes: Buffer; id: number; rank: number }[] }
  private readonly whole: Buffer

  /** `most` rows of about 300 bytes, their texts from `seed`. */
  constructor(
    project: string,
    private readonly most: number,
    seed: number,
  ) {
    const chance = new Chance(seed)
    const head = Buffer.from(`{"table":{"project_id":"${project}","rows":[`)
    const rows = Array.from({ length: most }, () => row(chance))
    this.pieces = { head, rows }
    this.whole = Buffer.alloc(head.length + rows.reduce((sum, { bytes }) => sum + bytes.length + 1, 0) + 3)
  }

  /** The body of the rows `first` … `first + count`, which stands until the next call. */
  stamp(first: number, count: number): Buffer {
    if (count > this.most) throw new RangeError(`${count} rows are more than ${this.most}`)
    const { whole, pieces } = this
    let at = pieces.head.copy(whole)
    for (let i = 0; i < count; i++) {
      const { bytes, id, rank } = pieces.rows[i]!
      bytes.copy(whole, at)
      whole.write(idOf(first + i), at + id, 'latin1')
      whole.write(String(rankOf(first + i)), at + rank, 'latin1')
      at += bytes.length
      if (i + 1 < count) whole[at++] = 0x2c
    }
    at += whole.write(']}}', at, 'latin1')
    return whole.subarray(0, at)
  }
}

function row(chance: Chance): { bytes: Buffer; id: number; rank: number } {
  const before = '{"id":"'
  const between = '","rank":'
  const rest = {
    question: prose(chance, 120),
    expected: prose(chance, 90),
    tags: [`tag-${chance.below(20)}`],
  }
  const bytes = Buffer.from(
    `${before}${idOf(0)}${between}${rankOf(0)},${JSON.stringify(rest).slice(1)}`,
    'latin1',
  )
  return { bytes, id: before.length, rank: before.length + 10 + between.length }
}
