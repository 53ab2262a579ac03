/**
 * The engine's write log: inserts into some tables are acknowledged when they are on disk here, and inserted into their
 * tables many at a time. Before such a table is read, everything acknowledged is inserted, so readers can't tell the
 * difference. Knows the engine only as a target.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../platform/files/sync-folder.js'
import { refusedFolder } from '../log-folder.js'
import { type FlushParts, flushSegment, type Refused, type Step } from './flush.js'
import { type FromLog, fromLog, type NewestRows } from './from-log.js'
import { Index, type Opening } from './index-region.js'
import type { LogTarget } from './log-target.js'
import { keysOfNative } from './native-block.js'
import { type LoggedBody, newestRows, type RowsFromLog } from './newest-rows.js'
import { overloaded, SegmentPool } from './pool.js'
import { bringRefused } from './refused.js'
import { DiskRoom, noRoom } from './room.js'
import { type Body, maxBytes, Segment } from './segment.js'
import { StatementLog } from './statement-log.js'
import { isWordAt } from './words.js'

/**
 * A table whose inserts are logged, and columns that no two of its rows have in common. `readKey`: a column of Strings; a
 * statement may say by its values which rows it reads, and waits for no others. `newestBy`: a column of whole numbers of eight
 * bytes or times, by which the newest rows may be taken from the log.
 */
export type Logged = {
  table: string
  key: string[]
  readKey?: string
  newestBy?: string
  /** columns that inserts leave to their defaults, and these in RowBinary, as hexadecimal digits */
  defaults?: Record<string, string>
}

/** What a statement wants to have in the table: rows with these values of the read key, or all. */
export type Wanted = { table: string; keys?: readonly string[] | undefined }

export type WriteLogOptions = {
  folder: string
  tables: readonly Logged[]
  target: LogTarget
  onRefused(refused: Refused): void
  onRetry(cause: string): void
  onStep?: (step: Step) => void
  /** How long a commit waits for a free file, and a reader for an insert. */
  timeoutMs?: number
}

/** A larger body is a part of its own, and costs less that way. */
export const maxLoggedBytes = maxBytes / 2
const maxSegments = 6
/** Statements that have a log at once. */
const maxStatements = 16
/** How often an insert is tried again while the engine starts. */
const recoveryTries = 8

export class WriteLog {
  readonly #parts: FlushParts
  readonly #statements = new Map<string, StatementLog>()
  /** Statements that the engine has run since the tables were last changed. */
  readonly #proven = new Set<string>()
  readonly #timeoutMs: number
  #changes = 0

  constructor(private readonly options: WriteLogOptions) {
    const { folder, target, onRefused, onRetry, onStep, timeoutMs = 10_000 } = options
    const refused = refusedFolder(folder)
    mkdirSync(refused, { recursive: true, mode: 0o700 })
    const pool = new SegmentPool(folder, maxSegments, timeoutMs)
    this.#timeoutMs = timeoutMs
    this.#parts = {
      pool,
      room: new DiskRoom(folder),
      target,
      refusedFolder: refused,
      onRefused,
      onRetry,
      onStep,
    }
  }

  /**
   * Brings in what an earlier process has left. To be called before anything else.
   * @returns rows that were found
   * @throws the engine's error, where it can't take them now; nothing is lost, and the next start tries again.
   */
  async recover(): Promise<number> {
    const { folder } = this.options
    const { pool } = this.#parts
    const found: Segment[] = []
    for (const name of readdirSync(folder)) {
      if (!name.startsWith('segment-')) continue
      const segment = await Segment.recover(folder, name)
      if (segment) found.push(segment)
      else await rm(join(folder, name))
    }
    await syncFolder(folder)
    for (const segment of found) pool.adopt(segment)
    const alive = new Set(found.map(({ generation }) => generation))
    let rows = 0
    for (const segment of found.sort((a, b) => a.generation - b.generation)) {
      const { pieceOf } = segment.opening!
      if (pieceOf !== undefined && alive.has(pieceOf)) {
        await pool.giveBack(segment, true)
        continue
      }
      rows += segment.rows
      await flushSegment(this.#parts, segment, true, recoveryTries)
    }
    await pool.close()
    const { refusedFolder, target, onRetry } = this.#parts
    return rows + (await bringRefused(refusedFolder, target, onRetry))
  }

  /** The logged table that an INSERT with this head is for, if it is. */
  tableOf(head: string): Logged | undefined {
    const name = target.exec(head)?.[1]?.replaceAll('`', '')
    return this.options.tables.find(({ table }) => table === name)
  }

  /** True if the statement may be logged: the engine has run one like it. */
  takes(opening: Opening, bytes: number): boolean {
    const key = keyOf(opening)
    if (bytes > maxLoggedBytes || !Index.takes(opening)) return false
    return (
      this.#changes === 0 &&
      this.#proven.has(key) &&
      (this.#statements.has(key) || this.#statements.size < maxStatements)
    )
  }

  /** The engine has run this statement. */
  proved(opening: Opening): void {
    if (this.#proven.size < 1000) this.#proven.add(keyOf(opening))
  }

  /**
   * Tables are about to be changed: nothing is logged until that has ended, and then not before the engine has run a
   * statement again.
   * @returns to be called when it has ended
   */
  change(): () => void {
    this.#changes++
    return () => {
      this.#changes--
      this.#proven.clear()
    }
  }

  /** @throws QueryFailure 243 where so many bytes of rows would take the room of what is acknowledged */
  roomFor(bytes: number): Promise<void> {
    const { pool, room } = this.#parts
    let held = bytes
    for (const segment of pool.used) held += segment.bytes
    return room.check(bytes, held)
  }

  /** For deletes, and what is written with them. @throws QueryFailure 243 where the disk is so full that nothing can be deleted */
  roomForDelete(): Promise<void> {
    return this.#parts.room.checkDelete()
  }

  /** Resolves when `body` is on disk; it will be in the table before anybody reads it through {@link flush}. */
  append(opening: Opening, body: Body): Promise<void> {
    const key = keyOf(opening)
    let log = this.#statements.get(key)
    if (!log) {
      log = new StatementLog(this.#parts, opening)
      this.#statements.set(key, log)
    }
    const { values, greatest } = keysOfNative(body, this.#logged(opening.table) ?? {})
    return log.append({ ...body, greatest }, values)
  }

  /** What a statement says about rows that it takes from the log itself. */
  fromLog(sql: string): FromLog | undefined {
    return fromLog(sql, this.options.tables)
  }

  /** Rows that were acknowledged and may not be in their table; undefined where only the engine can read them. */
  newest(wanted: NewestRows): RowsFromLog | undefined {
    const logged = this.#logged(wanted.table)
    const bodies: LoggedBody[] = []
    for (const log of this.#statements.values()) {
      if (log.opening.table !== wanted.table) continue
      const some = log.bodies(wanted.key)
      if (!some) return undefined
      bodies.push(...some)
    }
    const defaults = Object.entries(logged?.defaults ?? {})
    const bytesOf = new Map(defaults.map(([name, digits]) => [name, Buffer.from(digits, 'hex')]))
    return newestRows(bodies, logged?.readKey ?? '', wanted, bytesOf)
  }

  /** Tables of the log that a text names, in whatever role. */
  named(text: string): string[] {
    return this.options.tables.filter(({ table }) => isIn(table, text)).map(({ table }) => table)
  }

  /** The column by which statements say which rows of a table they read. */
  readKeyOf(table: string): string | undefined {
    return this.#logged(table)?.readKey
  }

  #logged(name: string): Logged | undefined {
    return this.options.tables.find(({ table }) => table === name)
  }

  /**
   * Resolves when what was acknowledged of these rows is in their tables.
   * @param isReader others may soon wait as well
   * @param mayLack whether to resolve where the disk has no room for that
   * @returns ms since the epoch from which on rows may be lacking, if any do
   * @throws QueryFailure 745 where that takes too long, 243 where the disk has no room.
   */
  async flush(wanted: readonly Wanted[], isReader = true, mayLack = false): Promise<number | undefined> {
    const waits: Promise<void>[] = []
    for (const { table, keys } of wanted)
      for (const log of this.#statements.values())
        if (log.opening.table === table && log.holds(keys)) waits.push(log.flush(isReader, keys))
    if (waits.length === 0) return undefined
    const isIn = await this.#inTime(waits)
    if (isIn) return undefined
    if (!mayLack) throw noRoom()
    const generations = [...this.#parts.pool.used].map(({ generation }) => generation)
    return Math.min(...generations) / 1000
  }

  /** The same for all tables, and for what is not acknowledged yet; during a {@link change}. */
  async flushAll(): Promise<void> {
    const isIn = await this.#inTime([...this.#statements.values()].map((log) => log.drain()))
    if (!isIn) throw noRoom()
  }

  /** Brings in everything and removes the files that hold nothing. */
  async close(): Promise<void> {
    this.change()
    await this.flushAll()
    await this.#parts.pool.close()
  }

  /** @returns false where the disk has no room */
  async #inTime(flushed: readonly Promise<void>[]): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    let forget: (() => void) | undefined
    const stuck = new Promise<false>((resolve) => {
      forget = this.#parts.room.whenStuck(() => resolve(false))
    })
    const late = new Promise<never>((_, reject) => {
      const tooLate = () =>
        reject(overloaded('Rows that were acknowledged are still on their way into a table'))
      timer = setTimeout(tooLate, this.#timeoutMs)
    })
    try {
      return await Promise.race([Promise.all(flushed).then(() => true), late, stuck])
    } finally {
      clearTimeout(timer)
      forget?.()
    }
  }
}

const target = /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?((?:\w+|`\w+`)(?:\.(?:\w+|`\w+`))?)\s*(?:\(|$)/i

/** True if `text` has the table's name as a whole word. */
function isIn(table: string, text: string): boolean {
  const name = table.slice(table.lastIndexOf('.') + 1)
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (isWordAt(text, at, name)) return true
  return false
}

const keys = new WeakMap<Opening, string>()

function keyOf(opening: Opening): string {
  let key = keys.get(opening)
  if (key === undefined) {
    key = JSON.stringify(opening)
    keys.set(opening, key)
  }
  return key
}
