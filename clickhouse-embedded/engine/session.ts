/**
 * One connection to the engine and the state it carries. Runs in a thread of its own, because the engine
 * parses, plans, and evaluates scalar subqueries on the calling thread.
 */
import { Lru } from '../../platform/lru/lru.js'
import { withoutHeader } from '../sql/formats.js'
import { identifier, literal } from '../sql/literal.js'
import { type Analysis, CONTROL, type Connection, type Cursor, type Native, READ_ONLY } from './native.js'
import type { Job, Outcome, SessionSetup } from './protocol.js'

/** Where chunks go; resolves when the next one may be read. False: nobody wants more. */
export type Sink = (bytes: Uint8Array<ArrayBuffer>) => Promise<boolean>

/** What the engine's parser said of texts, by text; bounded by their length. */
export const analyses = (): Lru<Analysis> => new Lru(4 << 20, (_, sql) => sql.length)
/** Parameters up to here may stay on an idle connection until the next job's take their place. */
const maxLeftOver = 65_536
const maxLeftOverParams = 100
/** A `SET` up to here is under any limit on the size of a query that the engine starts with. */
const maxPlainSet = 200_000

export class Session {
  #connection: Connection | undefined
  /** Settings that are not as the connection began, and parameters that are bound. */
  #settings = new Map<string, string>()
  #params = new Set<string>()
  #paramsLength = 0
  #database = 'default'
  /** What a broken or cancelled stream has left over begins the next result on its connection. */
  #cursorOpen = false

  /** @param known sessions of one thread may share it. */
  constructor(
    private readonly native: Native,
    private readonly setup: SessionSetup,
    private readonly known = analyses(),
  ) {}

  /**
   * Runs one job. What it has set is taken back by the next job's one SET, or with the whole connection where it
   * can't be known; a caller's own session (`keepState`) keeps its database, temporary tables and SETs.
   * @throws Error with the engine's message.
   */
  async run(job: Job, sink: Sink): Promise<Outcome> {
    let reusable = job.keepState
    try {
      const connection = this.#prepare(job)
      const analysis = await this.#analyse(connection, job.sql)
      const outcome = await this.#execute(connection, job, analysis, sink)
      // SET and USE in the text leave state that isn't written down here.
      reusable ||= analysis.queryClass !== CONTROL
      return outcome
    } finally {
      // A session that may only read can't be made to write again.
      const isLocked = this.#settings.has('readonly') && !job.keepState
      if (!reusable || this.#cursorOpen || isLocked) this.forget()
      else if (job.keepState || this.#isHeavy()) this.#reset()
    }
  }

  /** Closes the connection; the next job opens a fresh one. */
  forget(): void {
    const connection = this.#connection
    this.#connection = undefined
    this.#settings.clear()
    this.#params.clear()
    this.#paramsLength = 0
    this.#database = 'default'
    this.#cursorOpen = false
    if (connection) this.native.CloseConnection(connection)
  }

  /** Opens a connection ahead of the first job. */
  open(): Connection {
    this.#connection ??= this.native.CreateConnection(this.setup.dataDir, this.setup.args)
    return this.#connection
  }

  /** Makes the connection what `job` wants; a fresh one, where what the last job has left over stands in the way. */
  #prepare(job: Job): Connection {
    const isFresh = this.#settings.size === 0
    try {
      return this.#arrange(job)
    } catch (error) {
      if (isFresh || job.keepState) throw error
      this.forget()
      return this.#arrange(job)
    }
  }

  #arrange(job: Job): Connection {
    const connection = this.open()
    // A caller's own session stays where it is, unless the request says where.
    const database = job.database ?? (job.keepState ? this.#database : 'default')
    if (database !== this.#database) {
      this.native.QueryWithConnection(connection, `USE ${identifier(database)}`, 'Null')
      this.#database = database
    }
    this.#dropParams(connection, job)
    const assignments = this.#assignments(job)
    for (const [name, value] of job.params) {
      this.#params.add(name)
      const text = literal(value)
      this.#paramsLength += text.length
      assignments.push(`param_${name}=${text}`)
    }
    const length = assignments.reduce((sum, { length }) => sum + length, 0)
    if (length > maxPlainSet) {
      // The values of parameters are text of this statement here, and must not count against the job's limit.
      this.native.QueryWithConnection(connection, `SET max_query_size=${2 * length}`, 'Null')
      const own = this.#settings.get('max_query_size')
      if (own === undefined) assignments.push('max_query_size=DEFAULT')
      else assignments.push(`max_query_size=${literal(own)}`)
    }
    this.native.QueryWithConnection(connection, `SET ${assignments.join(', ')}`, 'Null')
    return connection
  }

  /** What makes of the connection's settings those of `job`: as few as will do, since each costs. */
  #assignments(job: Job): string[] {
    const wanted = new Map([['log_comment', job.tag], ...job.settings])
    const assignments: string[] = []
    for (const name of this.#settings.keys()) {
      if (wanted.has(name)) continue
      assignments.push(this.#asBegun(name))
      this.#settings.delete(name)
    }
    for (const [name, value] of wanted) {
      if (this.#settings.get(name) === value) continue
      assignments.push(`${name}=${literal(value)}`)
      this.#settings.set(name, value)
    }
    return assignments
  }

  #asBegun(name: string): string {
    const base = this.setup.settings[name]
    return `${name}=${base === undefined ? 'DEFAULT' : literal(base)}`
  }

  /** Unbinds what the job before has bound, where this one's text could come upon it. */
  #dropParams(connection: Connection, job: Job): void {
    const bound = new Set(job.params.map(([name]) => name))
    for (const name of this.#params) {
      if (bound.has(name) || !job.sql.includes(name)) continue
      this.#unbind(connection, `SET log_comment=${literal(job.tag)}`)
      return
    }
    this.#paramsLength = 0
  }

  #isHeavy(): boolean {
    return this.#paramsLength > maxLeftOver || this.#params.size > maxLeftOverParams
  }

  /** Runs `sql` by a call that binds parameters of its own and then clears them all. */
  #unbind(connection: Connection, sql: string): void {
    this.native.QueryWithParamsConnection(connection, sql, 'Null', { _: '0' })
    this.#params.clear()
    this.#paramsLength = 0
  }

  /** Has the engine's own parser count the statements, and refuses all texts but those with one. */
  async #analyse(connection: Connection, sql: string): Promise<Analysis> {
    const known = this.known.get(sql)
    if (known) return known
    const analysis = await this.native.DurableClassifyAsync(connection, sql, 'default')
    if (analysis.statementCount !== 1) throw new Error(this.#refusal(connection, sql, analysis))
    this.known.set(sql, analysis)
    return analysis
  }

  /** The engine's own words for a text that isn't one statement, got without running it. */
  #refusal(connection: Connection, sql: string, analysis: Analysis): string {
    if (analysis.statementCount === 0) {
      try {
        this.native.QueryWithConnection(connection, `SELECT formatQuery(${literal(sql)})`, 'Null')
      } catch (error) {
        return error instanceof Error
          ? error.message.replace(/: In scope SELECT formatQuery\(.*/s, '. (SYNTAX_ERROR)')
          : ''
      }
    }
    return 'Code: 62. DB::Exception: Syntax error (Multi-statements are not allowed): send one statement a request. (SYNTAX_ERROR)'
  }

  async #execute(connection: Connection, job: Job, analysis: Analysis, sink: Sink): Promise<Outcome> {
    if (job.mode === 'write') {
      const written = await this.native.InsertRawAsyncConnection(connection, job.sql, blank, false)
      return { ...nothing, writtenRows: written.rowsWritten, writtenBytes: written.bytesWritten }
    }
    if (job.mode === 'stream' && analysis.queryClass === READ_ONLY) return this.#stream(connection, job, sink)
    const whole = await this.native.QueryAsyncConnection(connection, job.sql, job.format)
    if (whole.bytes.length > 0) await sink(whole.bytes)
    return {
      ...nothing,
      resultRows: whole.rowsRead,
      resultBytes: whole.bytes.length,
      readRows: whole.rowsRead,
      readBytes: whole.bytesRead,
    }
  }

  async #stream(connection: Connection, job: Job, sink: Sink): Promise<Outcome> {
    const cursor: Cursor = this.native.StreamQuery(connection, job.sql, job.format)
    const quoted = job.format.toLowerCase().startsWith('csv')
    const outcome = { ...nothing }
    this.#cursorOpen = true
    for (let first = true; ; first = false) {
      const chunk = await this.native.StreamFetch(cursor)
      if (chunk.done) {
        this.#cursorOpen = false
        return outcome
      }
      const bytes = first ? chunk.bytes : withoutHeader(chunk.bytes, job.headerLines, quoted)
      outcome.resultRows += chunk.numRows
      outcome.resultBytes += bytes.length
      if (!(await sink(bytes))) {
        this.native.StreamCancel(cursor)
        return outcome
      }
    }
  }

  /** Takes back at once what the job has set. */
  #reset(): void {
    const connection = this.#connection
    if (!connection) return
    try {
      const sql = `SET ${[...this.#settings.keys()].map((name) => this.#asBegun(name)).join(', ')}`
      if (this.#params.size > 0) this.#unbind(connection, sql)
      else this.native.QueryWithConnection(connection, sql, 'Null')
      this.#settings.clear()
    } catch {
      this.forget()
    }
  }
}

const blank = Buffer.from(' ')
const nothing: Outcome = {
  resultRows: 0,
  resultBytes: 0,
  readRows: 0,
  readBytes: 0,
  writtenRows: 0,
  writtenBytes: 0,
}
