/**
 * Where rows of tables are stored, by digest, in memory: finding a thousand digests in the store reads a thousand
 * granules of each part. A directory is loaded once a table was asked for rows by digest a few times, and never
 * changes, like a table's content.
 */
import { Lru } from '../../platform/lru/lru.js'
import { PLACE_BYTES, type Place, type TableKey } from './sql.js'

/** Bytes of an entry: the beginning of the digest, and the place. */
const START_BYTES = 8
export const ENTRY_BYTES = START_BYTES + PLACE_BYTES
/** The uses of a table after which its directory is loaded, which costs as much as ten of them. */
const USES = 3
/** Tables whose uses are counted. */
const COUNTED = 1000
const MOST_BYTES = 48 << 20
/** The most rows of a table with a directory. */
export const MOST_ENTRIES = Math.floor(MOST_BYTES / ENTRY_BYTES)

const DIGEST = /^[\dA-Za-z]{43}$/

/** The places of one table's rows. */
export class RowDirectory {
  /** @param bytes entries in order, see `directoryOf` in `sql.ts` */
  constructor(readonly bytes: Buffer) {}

  /** The places of the rows with this digest: one for each position. Compares 64 bits of it, which never coincide. */
  find(digest: string): Place[] {
    const { bytes } = this
    if (!DIGEST.test(digest)) return []
    const start = Buffer.from(digest.slice(0, 12), 'base64').readBigUInt64LE()
    let from = 0
    for (let to = bytes.length / ENTRY_BYTES; from < to; ) {
      const middle = (from + to) >>> 1
      if (bytes.readBigUInt64LE(middle * ENTRY_BYTES) < start) from = middle + 1
      else to = middle
    }
    const places: Place[] = []
    for (
      let at = from * ENTRY_BYTES;
      at < bytes.length && bytes.readBigUInt64LE(at) === start;
      at += ENTRY_BYTES
    )
      places.push(placeAt(bytes, at + START_BYTES))
    return places
  }
}

/** Reads a place in RowBinary. */
export function placeAt(bytes: Buffer, at: number): Place {
  return {
    position: bytes.readUInt32LE(at),
    upload: Number(bytes.readBigUInt64LE(at + 4)),
    n: bytes.readUInt32LE(at + 12),
    key: bytes.readUInt32LE(at + 16),
  }
}

/** The directories of the tables that are used most. */
export class RowDirectories {
  private readonly uses = new Lru<number>(COUNTED)
  private readonly kept = new Lru<RowDirectory>(MOST_BYTES, ({ bytes }) => bytes.length, MOST_BYTES)
  private isLoading = false

  /** @param load the entries of a table; undefined: too many */
  constructor(private readonly load: (table: TableKey) => Promise<Buffer | undefined>) {}

  /** The directory of a table; undefined: it isn't there. Counts as a use, which may load it for later ones. */
  of(table: TableKey): RowDirectory | undefined {
    const name = `${table.project} ${table.digest}`
    const directory = this.kept.get(name)
    if (directory) return directory
    const uses = (this.uses.get(name) ?? 0) + 1
    if (uses === USES && this.isLoading) return undefined
    this.uses.set(name, uses)
    if (uses === USES) void this.add(name, table)
    return undefined
  }

  private async add(name: string, table: TableKey): Promise<void> {
    this.isLoading = true
    try {
      const bytes = await this.load(table)
      if (!bytes) return
      this.kept.set(name, new RowDirectory(bytes))
      // Counted anew once it was evicted.
      this.uses.delete(name)
    } catch {
      // The store still finds the rows; the next use tries again.
      this.uses.delete(name)
    } finally {
      this.isLoading = false
    }
  }
}
