/**
 * Where requests meet the log: which inserts it takes, and what other statements wait for. Knows statements and their
 * parameters; nothing of HTTP.
 */
import { Lru } from '../../platform/lru/lru.js'
import type { Parameters } from '../http/parameters.js'
import type { DataInsert } from '../sql/statement.js'
import type { Opening } from './index-region.js'
import { type KeyParameter, keysIn, onlyRows } from './only-rows.js'
import type { Wanted, WriteLog } from './write-log.js'

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
      const { wanted, isReader } = this.#namedIn(sql, parameters)
      await log.flush(wanted, isReader && !isBackground(parameters))
      return () => {}
    }
    const ended = log.change()
    try {
      // One about other tables may be what makes room for those that wait.
      if (wide.test(sql) || this.#namedIn(sql, parameters).wanted.length > 0) await log.flushAll()
    } catch (error) {
      ended()
      throw error
    }
    return ended
  }

  #namedIn(sql: string, parameters: Parameters): { wanted: Wanted[]; isReader: boolean } {
    const { log } = this
    // A name may come as a parameter.
    if (/:\s*Identifier/i.test(sql)) {
      const values = parameters.bound.map(([, value]) => value)
      return { wanted: log.named([sql, ...values].join(' ')).map((table) => ({ table })), isReader: true }
    }
    let named = this.#named.get(sql)
    if (!named) {
      const tables = log
        .named(sql)
        .map((table) => ({ table, only: onlyRows(sql, table, log.readKeyOf(table)) }))
      // Who names it in a string alone asks about the table, as monitoring does, and not for its rows.
      named = { tables, isReader: log.named(sql.replaceAll(strings, "''")).length > 0 }
      this.#named.set(sql, named)
    }
    const wanted = named.tables.map(({ table, only }) => ({
      table,
      keys: only && keysIn(only, parameters.bound),
    }))
    return { wanted, isReader: named.isReader }
  }
}

/** Tables that a statement names; `only`: parameters that hold the read keys of the rows it reads, where it says so. */
type Named = { tables: { table: string; only: KeyParameter[] | undefined }[]; isReader: boolean }

/** True for a statement that lets others go first, by ClickHouse's own setting: nobody waits for its rows. */
function isBackground({ settings }: Parameters): boolean {
  return settings.some(([name, value]) => name === 'priority' && value !== '0')
}

const strings = /'(?:[^'\\]|\\.)*'/g

function firstWord(sql: string): string {
  return (/^\s*([A-Za-z]+)/.exec(sql)?.[1] ?? '').toUpperCase()
}
