/**
 * Where requests meet the log: which inserts it takes, and what other statements wait for. Knows statements and their
 * parameters; nothing of HTTP.
 */
import { Lru } from '../../platform/lru/lru.js'
import type { Parameters } from '../http/parameters.js'
import type { DataInsert } from '../sql/statement.js'
import type { Opening } from './index-region.js'
import type { WriteLog } from './write-log.js'

/** How one insert is best stored: the log stores many at once, and knows better. */
const ofOneInsert = new Set([
  'async_insert',
  'wait_for_async_insert',
  'materialize_skip_indexes_on_insert',
  'max_execution_time',
  'max_memory_usage',
])
/** With these an insert means something that the log does not know. */
const notLogged = new Set(['insert_deduplication_token', 'readonly', 'profile'])
/** Statements about tables that they don't name. */
const wide = /\b(DATABASE|BACKUP|RESTORE|SYSTEM)\b/i
/** Statements that leave the tables as they are, but for rows; of those they name. */
const rowsOnly = new Set(['INSERT', 'DELETE', 'UPDATE', 'SET', 'KILL'])

export class LogGate {
  readonly #named = new Lru<Named>(4 << 20, (_, sql) => sql.length)
  readonly #openings = new Lru<Opening>(100)

  constructor(private readonly log: WriteLog) {}

  /** What an INSERT's rows would be logged under; undefined where it is none for the log. */
  openingOf(insert: DataInsert, parameters: Parameters, compression: string): Opening | undefined {
    if (insert.format !== 'Native' || insert.settings.trim() !== '' || compression !== 'none')
      return undefined
    if (parameters.session || parameters.bound.length > 0) return undefined
    if (parameters.settings.some(([name]) => notLogged.has(name))) return undefined
    const logged = this.log.tableOf(insert.head)
    if (!logged) return undefined
    const settings = parameters.settings.filter(([name]) => !ofOneInsert.has(name))
    const opening: Opening = {
      ...{ head: insert.head.trim(), table: logged.table, key: logged.key, settings },
      database: parameters.database ?? 'default',
    }
    // The same object for the same statement, so that it need not be written out for each insert.
    const text = JSON.stringify(opening)
    const known = this.#openings.get(text)
    if (!known) this.#openings.set(text, opening)
    return known ?? opening
  }

  /**
   * Resolves when a statement may run: when what was acknowledged is in the tables that it names, or, where it changes
   * these themselves or may be about any, in all of them.
   * @param isRead it gives rows and changes none
   * @returns to be called when the statement has ended
   * @throws QueryFailure 745 where that takes too long.
   */
  async before(sql: string, isRead: boolean, parameters: Parameters): Promise<() => void> {
    const { log } = this
    if (isRead || rowsOnly.has(firstWord(sql))) {
      const { tables, isReader } = this.#namedIn(sql, parameters)
      await log.flush(tables, isReader)
      return () => {}
    }
    const ended = log.change()
    try {
      // One about other tables may be what makes room for those that wait.
      if (wide.test(sql) || this.#namedIn(sql, parameters).tables.length > 0) await log.flushAll()
    } catch (error) {
      ended()
      throw error
    }
    return ended
  }

  #namedIn(sql: string, parameters: Parameters): Named {
    const { log } = this
    // A name may come as a parameter.
    if (/:\s*Identifier/i.test(sql)) {
      const values = parameters.bound.map(([, value]) => value)
      return { tables: log.named([sql, ...values].join(' ')), isReader: true }
    }
    let named = this.#named.get(sql)
    if (!named) {
      // Who names it in a string alone asks about the table, as monitoring does, and not for its rows.
      named = { tables: log.named(sql), isReader: log.named(sql.replaceAll(strings, "''")).length > 0 }
      this.#named.set(sql, named)
    }
    return named
  }
}

type Named = { tables: string[]; isReader: boolean }

const strings = /'(?:[^'\\]|\\.)*'/g

function firstWord(sql: string): string {
  return (/^\s*([A-Za-z]+)/.exec(sql)?.[1] ?? '').toUpperCase()
}

/** Rows of the first block of a body in the format Native; 0 where it has none, or is no such body. */
export function rowsOfNative(chunks: readonly Uint8Array[]): number {
  const head = Buffer.concat(chunks.slice(0, 2).map((chunk) => chunk.subarray(0, 20)))
  const [columns, at] = varint(head, 0)
  const [rows] = varint(head, at)
  return columns > 0 ? rows : 0
}

function varint(bytes: Uint8Array, from: number): [value: number, end: number] {
  let value = 0
  for (let at = from, factor = 1; at < Math.min(bytes.length, from + 6); at++, factor *= 128) {
    value += (bytes[at]! & 127) * factor
    if (bytes[at]! < 128) return [value, at + 1]
  }
  return [0, bytes.length]
}
