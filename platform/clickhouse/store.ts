/**
 * The one client for ClickHouse, embedded, server or cluster: sends statements, returns rows or bytes, and maps errors.
 */
import { ClickHouseError, type ClickHouseSettings } from '@clickhouse/client'
import { errors } from '../errors/catalog.js'
import type { HeddleError } from '../errors/error.js'
import { type Caller, currentCaller } from '../fairness/caller.js'
import { FairSemaphore } from '../fairness/fair-semaphore.js'
import { Lru } from '../lru/lru.js'
import { tracer } from '../telemetry/tracing.js'
import { statementSpan } from '../telemetry/tracing-spans.js'
import type { AppendChannel } from './append-channel.js'
import { besideOthers } from './beside-others.js'
import { clusterSettings, mutableName, type Table } from './cluster.js'
import { MAY_USE_RESERVE } from './disk-room.js'
import { withoutException } from './exception-tail.js'
import { type Answer, HttpClient, type Sent } from './http-client.js'
import type { Overflow } from './overflow.js'
import { SHORT, withParameters } from './parameters.js'
import { notePartial, partialHeaders } from './partial-read.js'
import { readAhead } from './read-ahead.js'
import { ident, type Rendered, type Sql, sql } from './sql.js'
import { withStallTimeout } from './stall-timeout.js'
import { answerError, insertError, storeError } from './store-error.js'
import type { Texts } from './texts.js'

export interface StoreOptions {
  url: string
  username?: string
  password?: string
  database?: string
  /** connections at once, and the same number again for streams; further statements queue in the client */
  connections?: number
  /** buffers results for slow readers; undefined: a slow reader blocks its query */
  overflow?: Overflow
  /** the cluster's name, if it is one; every statement then gets the cluster settings */
  cluster?: string
  /** default caller for statements that name none; default: the caller of the running work */
  caller?: Caller
  /** called with each statement when it has ended, or with a stream when it begins */
  observed?: (statement: Observed) => void
  /** on a cluster, replicas that must have a row before it is acknowledged: `auto`, or a number; default `auto` */
  quorum?: string
  /** a shorter way for small inserts, as far as there is one now */
  appends?: () => AppendChannel | undefined
  /** what statements presumed and did not hold is presumed again this much later (ms); default 1000 */
  presumeAgainMs?: number
}

/** A finished statement. */
export interface Observed {
  kind: 'rows' | 'stream' | 'run' | 'insert'
  seconds: number
  /** the error's code; undefined: it succeeded */
  failed: string | undefined
  /** undefined: unknown */
  caller: Caller | undefined
}

type Ended = (error?: HeddleError, rows?: number) => HeddleError | undefined

/** Limits of one statement; beyond them it ends with `TOO_SLOW` or `LIMIT_HIT`. */
export interface Limits {
  seconds?: number
  memoryBytes?: number
  readBytes?: number
}

export interface StatementOptions {
  limits?: Limits
  settings?: ClickHouseSettings
  signal?: AbortSignal
  /** the caller to charge; default: the store's own caller, else {@link currentCaller} */
  caller?: Caller
  /** of an insert: it is part of something that makes room on a full disk */
  mayUseReserve?: boolean
}

const PRESUME_AGAIN_MS = 1000
const MOST_REFUTED = 10_000

/** Shared by all statements without a caller. */
const NO_CALLER: Caller = ':nobody/'

/** Connections at once, and the same number again for streams. */
const CONNECTIONS = 32

/** Statements with a priority wait for those with a higher one, a smaller number; without one they don't take part. */
const BACKGROUND: ClickHouseSettings = { priority: '10' }

const INSERT_SETTINGS: ClickHouseSettings = { async_insert: 0, optimize_on_insert: 0 }

/** Bytes kept of the answer to a statement without a result. */
const ANSWER_LIMIT = 64 << 10

/** For columns that are selected under their own names as something else: conditions mean the columns. */
export const COLUMNS_FIRST: StatementOptions = { settings: { prefer_column_name_to_alias: 1 } }

/** A pool of connections to one ClickHouse. Every method throws `HeddleError`s only. */
export class Store {
  private readonly client: HttpClient
  /** Separate connections, so that slow readers don't hold up writes. */
  private readonly streams: HttpClient
  private readonly permits: FairSemaphore
  private readonly streamPermits: FairSemaphore
  private readonly caller: Caller | undefined
  private readonly isBackground: boolean = false
  private readonly overflow: Overflow | undefined
  private readonly cluster: string | undefined
  private readonly observed: StoreOptions['observed']
  private readonly appends: StoreOptions['appends']
  private readonly texts: Texts | undefined = undefined
  private readonly presumeAgainMs: number
  /** What statements presumed and did not hold, each with the `performance.now()` at which to presume it again. */
  private readonly refuted = new Lru<number>(MOST_REFUTED)

  constructor(options: StoreOptions) {
    this.cluster = options.cluster
    this.observed = options.observed
    this.appends = options.appends
    this.presumeAgainMs = options.presumeAgainMs ?? PRESUME_AGAIN_MS
    this.overflow = options.overflow
    this.caller = options.caller
    const { connections = CONNECTIONS } = options
    this.permits = new FairSemaphore(connections)
    this.streamPermits = new FairSemaphore(connections)
    this.client = clientOf(options)
    this.streams = clientOf(options)
  }

  /** This store with `caller` as the default caller, over the same connections. */
  as(caller: Caller): Store {
    return Object.create(this, { caller: { value: caller } }) as Store
  }

  /**
   * This store for work that nobody waits for, over the same connections: an embedded engine's log does not hurry for its
   * statements, and a server lets others with a priority go first.
   */
  inBackground(): Store {
    return Object.create(this, { isBackground: { value: true } }) as Store
  }

  /** This store, with what `texts` makes of the texts of rows before they are stored, over the same connections. */
  changing(texts: Texts): Store {
    return Object.create(this, { texts: { value: texts } }) as Store
  }

  /** The name of `table` for UPDATE and DELETE FROM: on a cluster a Distributed table accepts neither. */
  mutable(table: Table): Sql {
    return mutableName(table, this.cluster)
  }

  /** Where statements look for tables. */
  get database(): string {
    return this.client.database
  }

  get isCluster(): boolean {
    return this.cluster !== undefined
  }

  /** A system table of this node or, on a cluster, of all replicas of all shards. */
  everywhere(table: 'system.parts' | 'system.disks' | 'system.mutations' | 'system.backups'): Sql {
    if (this.cluster === undefined) return ident(table)
    return sql`clusterAllReplicas(${ident(this.cluster)}, ${ident(table)})`
  }

  /** ` ON CLUSTER name`, or nothing. */
  onCluster(): Sql {
    return this.cluster === undefined ? sql`` : sql`ON CLUSTER ${ident(this.cluster)}`
  }

  /** The rows of a SELECT as objects; for small results only. */
  rows<Row>(statement: Sql, options: StatementOptions = {}): Promise<Row[]> {
    return this.answered(statement, 'JSONEachRow', options, rowsOf<Row>)
  }

  /** The bytes of a SELECT in `format`, for small results only: unlike {@link bytes} it waits for no reader of a stream. */
  smallBytes(statement: Sql, format: string, options: StatementOptions = {}): Promise<Buffer> {
    return this.answered(statement, format, options, wholeOf)
  }

  private async answered<Result>(
    statement: Sql,
    format: string,
    options: StatementOptions,
    read: (answer: Answer) => Promise<Result>,
  ): Promise<Result> {
    const form = this.formOf(statement)
    const caller = this.callerOf(options)
    const ended = this.begun('rows', form.query, caller)
    try {
      const result = await withStallTimeout(options.limits?.seconds, options.signal, async (signal) => {
        const permit = await this.permits.acquire(caller, signal)
        try {
          const bounds = this.reading({ ...options, caller, ...(signal && { signal }) })
          const send = ({ query, texts }: Rendered) =>
            sendRead(this.client, caller, {
              ...bounds,
              ...withParameters(`${query} FORMAT ${format}`, texts, bounds.settings, SHORT),
            })
          return await read(await this.answerTo(statement, form, send))
        } finally {
          permit.release()
        }
      })
      ended(undefined, Array.isArray(result) ? result.length : undefined)
      return result
    } catch (error) {
      throw ended(storeError(error))
    }
  }

  /** The first row of a SELECT, or undefined. */
  async row<Row>(statement: Sql, options: StatementOptions = {}): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, options))[0]
  }

  /** The only column of the first row of a SELECT, or undefined. */
  async value<T>(statement: Sql, options: StatementOptions = {}): Promise<T | undefined> {
    const row = await this.row<Record<string, T>>(statement, options)
    return row && Object.values(row)[0]
  }

  /** The bytes of a SELECT in `format`, copied into one buffer. */
  async bytes(
    statement: Sql,
    format: string,
    options: StatementOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Uint8Array[] = []
    for await (const piece of await this.stream(statement, format, options)) pieces.push(piece)
    const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of pieces) {
      all.set(piece, at)
      at += piece.length
    }
    return all
  }

  /**
   * Streams the bytes of a SELECT in `format`. Ending the iteration early, or `signal`, cancels the statement. The
   * iterator throws errors after the first byte. A slow reader blocks the statement only if there is no space to buffer
   * the result.
   */
  async stream(
    statement: Sql,
    format: string,
    options: StatementOptions = {},
  ): Promise<AsyncIterable<Uint8Array>> {
    const form = this.formOf(statement)
    const caller = this.callerOf(options)
    const ended = this.begun('stream', form.query, caller)
    let release: (() => void) | undefined
    try {
      // Applies only until the answer begins: a long export to a slow reader is no stall.
      const result = await withStallTimeout(options.limits?.seconds, options.signal, async (signal) => {
        release = (await this.streamPermits.acquire(caller, signal)).release
        const bounds = this.reading({ ...options, caller, ...(signal && { signal }) })
        const send = ({ query, texts }: Rendered) =>
          sendRead(this.streams, caller, {
            ...bounds,
            ...withParameters(`${query} FORMAT ${format}`, texts, bounds.settings),
          })
        return await this.answerTo(statement, form, send)
      })
      result.stream.once('close', release!)
      ended()
      const bytes = bytesOf(result)
      return this.overflow ? readAhead(bytes, () => result.stream.destroy(), this.overflow) : bytes
    } catch (error) {
      release?.()
      throw ended(storeError(error))
    }
  }

  /** Runs a statement without a result: INSERT … SELECT, UPDATE, DELETE. */
  async run(statement: Sql, options: StatementOptions = {}): Promise<void> {
    const { query, texts } = statement.render()
    const caller = this.callerOf(options)
    const settings = { ...INSERT_SETTINGS, ...this.defaults(), ...options.settings }
    const bounds = request({ ...options, caller, settings })
    const ended = this.begun('run', query, caller)
    try {
      const sent = withParameters(query, texts, bounds.settings)
      ended(undefined, await this.done({ ...bounds, ...sent }, caller, options.signal))
    } catch (error) {
      throw ended(storeError(error))
    }
  }

  /**
   * Inserts encoded blocks (`format` Native, RowBinary, JSONEachRow, …). Resolves when ClickHouse has committed them.
   * Their texts are stored as they are: whoever encodes them asks {@link changed} before.
   * @param table a table name from the source code
   * @throws `STORE_UNAVAILABLE` (the outcome is unknown), `STORE_BUSY`, `STORE_REFUSED` (nothing was stored)
   */
  async insert(
    table: string,
    format: string,
    blocks: readonly Uint8Array[],
    options: StatementOptions = {},
  ): Promise<void> {
    const query = `INSERT INTO ${table} FORMAT ${format}`
    const inserts = { ...options, settings: { ...INSERT_SETTINGS, ...options.settings } }
    const caller = this.callerOf(options)
    const ended = this.begun('insert', query, caller)
    try {
      const headers = options.mayUseReserve ? { [MAY_USE_RESERVE]: '1' } : undefined
      const statement = { query, blocks, ...request({ ...inserts, caller }), ...(headers && { headers }) }
      ended(undefined, await this.done(statement, caller, options.signal))
    } catch (error) {
      throw ended(insertError(error))
    }
  }

  /** Rows of `table` as they are to be stored: see {@link changing}. */
  changed<Row extends object>(table: string, rows: readonly Row[]): Promise<readonly Row[]> | readonly Row[] {
    return this.texts?.isActive && rows.length > 0 ? this.texts.rows(table, rows) : rows
  }

  /**
   * Inserts rows given as objects; for small tables only. Calls and the like are inserted as blocks.
   * @param table a table name from the source code
   */
  async insertRows(table: string, rows: readonly object[], options: StatementOptions = {}): Promise<void> {
    if (rows.length === 0) return
    const stored = await this.changed(table, rows)
    const text = stored.map((row) => JSON.stringify(row)).join('\n')
    await this.insert(table, 'JSONEachRow', [Buffer.from(wellFormed(text))], options)
  }

  /** Runs SQL text that ships with the program (migrations). Never pass a caller's text. */
  async runTrusted(query: string): Promise<void> {
    try {
      await this.done({ query }, NO_CALLER, undefined)
    } catch (error) {
      throw storeError(error)
    }
  }

  /** True if ClickHouse answers within `timeoutMs`, whatever the credentials. Never throws. */
  async alive(timeoutMs = 2000): Promise<boolean> {
    return this.client.ping(AbortSignal.timeout(timeoutMs)).catch(() => false)
  }

  async close(): Promise<void> {
    this.client.close()
    this.streams.close()
  }

  /** Starts timing a statement. Call the result at its end with its error or its rows; it returns the error. */
  private begun(kind: Observed['kind'], query: string, caller: Caller): Ended {
    const { observed } = this
    const span = tracer === undefined ? undefined : statementSpan(kind, query)
    if (observed === undefined && span === undefined) return (error) => error
    const since = performance.now()
    return (error, rows) => {
      const seconds = (performance.now() - since) / 1000
      observed?.({ kind, seconds, failed: error?.code, caller: caller === NO_CALLER ? undefined : caller })
      const name = kind === 'rows' ? 'db.response.returned_rows' : 'heddle.written_rows'
      if (rows !== undefined) span?.set({ [name]: rows })
      span?.end(error?.code)
      return error
    }
  }

  /** Runs a statement without a result; returns the rows written, if known. */
  private async done(
    statement: Sent,
    caller: Caller,
    signal: AbortSignal | undefined,
  ): Promise<number | undefined> {
    const permit = await this.permits.acquire(caller, signal)
    try {
      const appended = statement.blocks && (await this.append(statement, statement.blocks))
      if (appended !== undefined) return appended
      const answer = await this.client.send(statement)
      await succeeded(answer)
      await textOf(answer)
      return writtenRows(answer)
    } finally {
      permit.release()
    }
  }

  /** Inserts without a statement; returns the rows written, or undefined where that is not possible. */
  private async append(
    { query, settings, signal }: Sent,
    blocks: readonly Uint8Array[],
  ): Promise<number | undefined> {
    const channel = this.appends?.()
    if (channel === undefined) return undefined
    const appended = await channel.append(this.client.addressOf(settings, query), blocks, signal)
    if (appended === undefined || 'rows' in appended) return appended?.rows
    throw answerError(appended.status, appended.text)
  }

  /** A statement with what it presumes, or without where that did not hold a moment ago. */
  private formOf(statement: Sql): Rendered {
    // On a cluster a check says nothing of what other shards have read.
    if (this.isCluster) return statement.render()
    const form = statement.render(true)
    const now = performance.now()
    return form.presumes.some((about) => (this.refuted.get(about) ?? 0) > now) ? statement.render() : form
  }

  /** The answer to a form of a statement; to the one without presumptions, if those do not hold. */
  private async answerTo(
    statement: Sql,
    form: Rendered,
    send: (form: Rendered) => Promise<Answer>,
  ): Promise<Answer> {
    const answer = await send(form)
    try {
      await succeeded(answer, tooLong)
      return answer
    } catch (error) {
      if (form.presumes.length === 0 || !isRefutation(error)) throw error
      const again = performance.now() + this.presumeAgainMs
      for (const about of form.presumes) this.refuted.set(about, again)
      return await this.answerTo(statement, statement.render(), send)
    }
  }

  private reading(options: StatementOptions) {
    return request({ ...options, settings: { ...this.defaults(), ...options.settings } })
  }

  private defaults(): ClickHouseSettings {
    return this.isBackground ? BACKGROUND : {}
  }

  private callerOf({ caller }: StatementOptions): Caller {
    return caller ?? this.caller ?? currentCaller() ?? NO_CALLER
  }
}

/** Replaces lone surrogates in JSON strings with U+FFFD, as Buffer does: UTF-8 can't encode them. */
function wellFormed(json: string): string {
  if (!json.includes('\\ud')) return json
  return json.replaceAll(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (written) =>
    written.length > 2 ? '\ufffd' : written,
  )
}

function clientOf(options: StoreOptions): HttpClient {
  return new HttpClient({
    url: options.url,
    username: options.username ?? 'default',
    password: options.password ?? '',
    database: options.database ?? 'default',
    connections: options.connections ?? CONNECTIONS,
    settings: {
      date_time_input_format: 'best_effort',
      output_format_json_quote_64bit_integers: 0,
      // On a condition's fourth use the engine compiles it to machine code, which takes half a minute for the longest.
      compile_expressions: 0,
      ...(options.cluster !== undefined && clusterSettings(options.quorum)),
    },
  })
}

/** Sends a SELECT, which may lack rows if its request may. */
async function sendRead(client: HttpClient, caller: Caller, sent: Sent): Promise<Answer> {
  const headers = { ...sent.headers, ...partialHeaders(), ...besideOthers(caller) }
  const answer = await client.send({ ...sent, headers })
  notePartial(answer.headers)
  return answer
}

/** Throws if the answer is an error; does not read the bytes of a result. */
async function succeeded(answer: Answer, refused?: (cause: Error) => Error): Promise<void> {
  const { status, headers } = answer
  if (status < 300 && headers['x-clickhouse-exception-code'] === undefined) return
  throw answerError(status, await textOf(answer), refused)
}

/** True if a check of what a statement presumes ended it. */
const isRefutation = (error: unknown): boolean =>
  error instanceof ClickHouseError && error.type === 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO'

/** What the server says that an insert has written, if it does. */
function writtenRows({ headers }: Answer): number | undefined {
  const summary = headers['x-clickhouse-summary']
  return typeof summary === 'string' ? Number(JSON.parse(summary).written_rows) : undefined
}

const tooLong = () => errors.limitHit('size of the query itself')

async function wholeOf(answer: Answer): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytesOf(answer)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Parses an answer's JSON lines. */
async function rowsOf<Row>(answer: Answer): Promise<Row[]> {
  const lines = (await wholeOf(answer)).toString('utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}

/** The text of an answer, truncated if it is long. */
async function textOf({ stream }: Answer): Promise<string> {
  let text = ''
  for await (const chunk of stream) if (text.length < ANSWER_LIMIT) text += String(chunk)
  return text
}

function request({ limits, settings, signal, caller }: StatementOptions) {
  const bounds: ClickHouseSettings & Record<string, string | number> = {
    ...(limits?.seconds !== undefined && { max_execution_time: limits.seconds }),
    ...(limits?.memoryBytes !== undefined && { max_memory_usage: String(limits.memoryBytes) }),
    ...(limits?.readBytes !== undefined && { max_bytes_to_read: String(limits.readBytes) }),
    // A protocol parameter, not a setting.
    ...(caller !== undefined && { quota_key: caller }),
  }
  return { settings: { ...bounds, ...settings }, signal }
}

/** Streams the bytes of a result; throws an error that occurs midway. */
async function* bytesOf({ stream, headers }: Answer): AsyncGenerator<Uint8Array> {
  const tag = headers['x-clickhouse-exception-tag']
  try {
    yield* withoutException(stream, typeof tag === 'string' ? tag : undefined)
  } catch (error) {
    throw storeError(error)
  } finally {
    stream.destroy()
  }
}
