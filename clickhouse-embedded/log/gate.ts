/**
 * Where requests meet the log: which inserts it takes, and what other statements wait for. Knows statements and their
 * parameters; nothing of HTTP.
 */
import { Lru } from '../../platform/lru/lru.js'
import type { Parameters } from '../http/parameters.js'
import type { DataInsert } from '../sql/statement.js'
import { type FromLog, type NewestRows, withoutOnlyIf, withValues } from './from-log.js'
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

/** A statement that may run. */
export type Admitted = {
  /** to be called when it has ended */
  ended: () => void
  /** ms since the epoch from which on rows may be lacking, if any do */
  lacksSince?: number
  /** goes before its result */
  first?: Buffer
  /** its parameters, where they are others now */
  bound?: Parameters['bound']
  rest?: Rest
}

/** What a statement gives beside the rows of the log. */
export type Rest = {
  /** gives a row if the statement gives any, and takes half its time; absent where it most likely does */
  probe?: string
  /** to be told whether there was any */
  found(isAny: boolean): void
}

export class LogGate {
  readonly #named = new Lru<Named>(4 << 20, (_, sql) => sql.length)
  readonly #openings = new Lru<Opening>(100)
  readonly #fromLog = new Lru<{ rows: FromLog | undefined }>(4 << 20, (_, sql) => sql.length)
  /** Whether there were others beside the rows of the log, the last time, by read key. */
  readonly #hadOthers = new Lru<boolean>(10_000)

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
   * @param format of the result, where it has one
   * @param mayLack it may run without rows for whose parts the disk has no room
   * @throws QueryFailure 745 where that takes too long, 243 where the disk has no room.
   */
  async before(
    sql: string,
    isRead: boolean,
    parameters: Parameters,
    { format, mayLack = false }: { format?: string; mayLack?: boolean } = {},
  ): Promise<Admitted> {
    const { log } = this
    if (isRead && format === 'RowBinary') {
      const taken = this.#newest(sql, parameters)
      if (taken) return taken
    }
    const word = firstWord(sql)
    if (!isRead && (word === 'INSERT' || word === 'UPDATE')) await log.roomFor(0)
    if (!isRead && word === 'DELETE') await log.roomForDelete()
    if (isRead || rowsOnly.has(word)) {
      const { wanted, isReader } = this.#namedIn(sql, parameters)
      const lacksSince = await log.flush(wanted, isReader && !isBackground(parameters), isRead && mayLack)
      return { ended: () => {}, ...(lacksSince !== undefined && { lacksSince }) }
    }
    const ended = log.change()
    try {
      // One about other tables may be what makes room for those that wait.
      if (wide.test(sql) || this.#namedIn(sql, parameters).wanted.length > 0) await log.flushAll()
    } catch (error) {
      ended()
      throw error
    }
    return { ended }
  }

  /** What a statement takes from the log itself, so that it waits for none of it. */
  #newest(sql: string, { bound }: Parameters): Admitted | undefined {
    let said = this.#fromLog.get(sql)
    if (said === undefined) {
      said = { rows: this.log.fromLog(sql) }
      this.#fromLog.set(sql, said)
    }
    const wanted = said.rows && withValues(said.rows, bound)
    const taken = wanted && this.log.newest(wanted)
    if (!taken) return undefined
    const since = [said.rows!.since, String(taken.since)] as const
    const others = bound.filter(([name]) => name !== since[0])
    const rest = taken.since > wanted.since ? this.#rest(wanted) : undefined
    return { ended: () => {}, first: taken.bytes, bound: [...others, [...since]], ...(rest && { rest }) }
  }

  #rest({ onlyIf, key }: NewestRows): Rest | undefined {
    if (onlyIf === undefined) return undefined
    const found = (isAny: boolean) => this.#hadOthers.set(key, isAny)
    return this.#hadOthers.get(key) ? { found } : { probe: onlyIf, found }
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
      const text = withoutOnlyIf(sql)
      const tables = log
        .named(text)
        .map((table) => ({ table, only: onlyRows(text, table, log.readKeyOf(table)) }))
        .filter(({ only }) => only?.length !== 0)
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
