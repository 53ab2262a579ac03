/**
 * Which objects are certainly not there: their names as bits, some of which may say that one is there that is not.
 * For a process that is the only one to create objects in its store; so it need not ask for those that are new.
 */
import { sql } from '../../common/clickhouse/sql.js'
import type { Store } from '../../common/clickhouse/store.js'
import type { ObjectKey } from './versions.js'

/** 4 MiB; with a million names in them, one answer in ten thousand is a "perhaps" for nothing. */
const BITS = 2 ** 25
const PROBES = 4
/** Rows of a store whose names are taken in; beyond them the store is asked for every name. */
const MOST_ROWS = 2_000_000

/** Names that were added, and perhaps others. */
export class NameBits {
  private readonly words = new Uint32Array(BITS / 32)

  add(name: string): void {
    for (const bit of bitsOf(name)) this.words[bit >>> 5]! |= 1 << (bit & 31)
  }

  /** False only if `name` was never added. */
  mayHave(name: string): boolean {
    return bitsOf(name).every((bit) => (this.words[bit >>> 5]! & (1 << (bit & 31))) !== 0)
  }
}

function bitsOf(name: string): number[] {
  let a = 0x811c9dc5
  let b = 0x2f0b4c47
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x5bd1e995)
    b ^= b >>> 13
  }
  return Array.from({ length: PROBES }, (_, i) => Math.imul(a ^ (a >>> 15), i + 1) + b).map(
    (mixed) => (mixed >>> 0) % BITS,
  )
}

/** The names of one store's objects. */
export class ObjectNames {
  private readonly bits = new NameBits()
  private state: 'unread' | 'reading' | 'whole' | 'too many' = 'unread'

  constructor(private readonly store: Store) {}

  /** To be told of every object before it is stored. */
  add(object: ObjectKey): void {
    this.bits.add(nameOf(object))
  }

  /** True only if there is no such object. The first who asks has those read that are stored. */
  lacks(object: ObjectKey): boolean {
    if (this.state === 'unread') void this.read()
    return this.state === 'whole' && !this.bits.mayHave(nameOf(object))
  }

  /** Where the store doesn't answer, somebody will ask again. */
  private async read(): Promise<void> {
    this.state = 'reading'
    try {
      const lines = await this.store.stream(sql`SELECT project_id, object_id FROM objects`, 'TSVRaw')
      this.state = (await this.take(lines)) ? 'whole' : 'too many'
    } catch {
      this.state = 'unread'
    }
  }

  /** Takes in names, one a line as {@link nameOf} writes them; false where they are too many. */
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

/** A name that objects may be given is ASCII; others, of ops in spans, are nobody's to ask for here. */
function nameOf({ project, object }: ObjectKey): string {
  return `${project}\t${object}`
}
