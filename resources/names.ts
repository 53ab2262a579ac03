/**
 * What is certainly not stored: names as bits, which may also say of one that it is there when it is not. For a process
 * that is the only one to store such things; so it need not ask for those that are new. Knows nothing of what they are.
 */
import type { Sql } from '../platform/clickhouse/sql.js'
import type { Store } from '../platform/clickhouse/store.js'

/** 4 MiB; with a million names in them, one answer in ten thousand is a "perhaps" for nothing. */
const BITS = 2 ** 25
const PROBES = 4
/** Rows of a store whose names are taken in; beyond them the store is asked for every name. */
const MOST_ROWS = 2_000_000

/** Names that were added, and perhaps others. */
export class NameBits {
  private readonly words: Uint32Array
  private readonly places = new Uint32Array(PROBES)

  /** @param bits a power of two */
  constructor(private readonly bits = BITS) {
    this.words = new Uint32Array(bits / 32)
  }

  /** True only if `name` was never added before. */
  add(name: string): boolean {
    let isNew = false
    for (const bit of this.placesOf(name)) {
      const word = this.words[bit >>> 5]!
      const mask = 1 << (bit & 31)
      if ((word & mask) === 0) isNew = true
      this.words[bit >>> 5] = word | mask
    }
    return isNew
  }

  /** False only if `name` was never added. */
  mayHave(name: string): boolean {
    for (const bit of this.placesOf(name))
      if ((this.words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false
    return true
  }

  /** The bits of a name; they stand until the next call. */
  private placesOf(name: string): Uint32Array {
    let a = 0x811c9dc5
    let b = 0x2f0b4c47
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i)
      a = Math.imul(a ^ unit, 0x01000193)
      b = Math.imul(b ^ unit, 0x5bd1e995)
      b ^= b >>> 13
    }
    a ^= a >>> 15
    for (let i = 0; i < PROBES; i++) this.places[i] = (Math.imul(a, i + 1) + b) & (this.bits - 1)
    return this.places
  }
}

/** The names of one kind of thing in a store, each within its project. */
export class Names {
  private readonly bits: NameBits
  private state: 'unread' | 'reading' | 'whole' | 'too many' = 'unread'

  /**
   * @param stored reads the projects and names that are stored
   * @param bits of memory, a power of two
   */
  constructor(
    private readonly store: Store,
    private readonly stored: Sql,
    bits?: number,
  ) {
    this.bits = new NameBits(bits)
  }

  /** To be told of every name before it is stored. True only if it is not stored, and nobody has told of it before. */
  add(project: string, name: string): boolean {
    if (this.state === 'unread') void this.read()
    return this.bits.add(within(project, name)) && this.state === 'whole'
  }

  /** True only if it is not stored. The first who asks has those read that are. */
  lacks(project: string, name: string): boolean {
    if (this.state === 'unread') void this.read()
    return this.state === 'whole' && !this.bits.mayHave(within(project, name))
  }

  /** Where the store doesn't answer, somebody will ask again. */
  private async read(): Promise<void> {
    this.state = 'reading'
    try {
      const lines = await this.store.stream(this.stored, 'TSVRaw')
      this.state = (await this.take(lines)) ? 'whole' : 'too many'
    } catch {
      this.state = 'unread'
    }
  }

  /** Takes in names, one a line as {@link within} writes them; false where they are too many. */
  private async take(lines: AsyncIterable<Uint8Array>): Promise<boolean> {
    let rows = 0
    let rest = ''
    for await (const piece of lines) {
      const names = (rest + Buffer.from(piece).toString('latin1')).split('\n')
      rest = names.pop()!
      rows += names.length
      if (rows > MOST_ROWS) return false
      for (const name of names) this.bits.add(name)
    }
    return true
  }
}

/** As a line of the store is read: a character a byte. Names that are asked for have no breaks; others are never found. */
function within(project: string, name: string): string {
  return `${project}\t${Buffer.from(name).toString('latin1')}`
}
