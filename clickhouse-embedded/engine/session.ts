/**
 * One connection to the engine and the state it carries. Runs in a thread of its own, because the engine
 * parses, plans, and evaluates scalar subqueries on the calling thread. Knows nothing of HTTP.
 */
import { withoutHeader } from '../sql/formats.js'
import { identifier, literal } from '../sql/literal.js'
import { type Analysis, CONTROL, type Connection, type Cursor, type Native, READ_ONLY } from './native.js'
import type { Job, Outcome, SessionSetup } from './protocol.js'

/** Where chunks go; resolves when the next one may be read. False: nobody wants more. */
export type Sink = (bytes: Uint8Array<ArrayBuffer>) => Promise<boolean>

const knownTexts = 500
const maxKnownLength = 16_384
/** A `SET` up to here is under any limit on the size of a query that the engine starts with. */
const maxPlainSet = 200_000

export class Session {
  #connection: Connection | undefined
  #changed = new Set<string>()
  #hasParams = false
  #database = 'default'
  /** What a broken or cancelled stream has left over begins the next result on its connection. */
  #cursorOpen = false
  #known = new Map<string, Analysis>()

  constructor(
    private readonly native: Native,
    private readonly setup: SessionSetup,
  ) {}

  /**
   * Runs one job. The session is clean afterwards, or forgotten where that can't be known; a caller's own
   * session (`keepState`) keeps its database, temporary tables and SETs.
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
      if (reusable && !this.#cursorOpen) this.#reset(job.keepState)
      else this.forget()
    }
  }

  /** Closes the connection; the next job opens a fresh one. */
  forget(): void {
    const connection = this.#connection
    this.#connection = undefined
    this.#changed.clear()
    this.#hasParams = false
    this.#database = 'default'
    this.#cursorOpen = false
    if (connection) this.native.CloseConnection(connection)
  }

  /** Opens a connection ahead of the first job. */
  open(): Connection {
    this.#connection ??= this.native.CreateConnection(this.setup.dataDir, this.setup.args)
    return this.#connection
  }

  #prepare(job: Job): Connection {
    const connection = this.open()
    if (job.database !== undefined && job.database !== this.#database) {
      this.native.QueryWithConnection(connection, `USE ${identifier(job.database)}`, 'Null')
      this.#database = job.database
    }
    const assignments = [`log_comment=${literal(job.tag)}`]
    this.#changed.add('log_comment')
    for (const [name, value] of job.settings) {
      assignments.push(`${name}=${literal(value)}`)
      this.#changed.add(name)
    }
    for (const [name, value] of job.params) assignments.push(`param_${name}=${literal(value)}`)
    if (job.params.length > 0) this.#hasParams = true
    const length = assignments.reduce((sum, { length }) => sum + length, 0)
    if (length > maxPlainSet) {
      // The values of parameters are text of this statement here, and must not count against the job's limit.
      this.native.QueryWithConnection(connection, `SET max_query_size=${2 * length}`, 'Null')
      if (!this.#changed.has('max_query_size')) assignments.push('max_query_size=DEFAULT')
      this.#changed.add('max_query_size')
    }
    this.native.QueryWithConnection(connection, `SET ${assignments.join(', ')}`, 'Null')
    return connection
  }

  /** Has the engine's own parser count the statements, and refuses all texts but those with one. */
  async #analyse(connection: Connection, sql: string): Promise<Analysis> {
    const known = this.#known.get(sql)
    if (known) return known
    const analysis = await this.native.DurableClassifyAsync(connection, sql, 'default')
    if (analysis.statementCount !== 1) throw new Error(this.#refusal(connection, sql, analysis))
    if (sql.length <= maxKnownLength) {
      if (this.#known.size >= knownTexts) this.#known.clear()
      this.#known.set(sql, analysis)
    }
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

  /** Takes back what the job has set. Parameters go by a call that binds and clears them all. */
  #reset(keepState: boolean): void {
    const connection = this.#connection
    if (!connection) return
    try {
      // A session that may only read can't be made to write again.
      if (this.#changed.has('readonly') && !keepState) {
        this.forget()
        return
      }
      if (this.#database !== 'default' && !keepState)
        this.native.QueryWithConnection(connection, 'USE default', 'Null')
      const resets = [...this.#changed].map((name) => {
        const base = this.setup.settings[name]
        return base === undefined ? `${name}=DEFAULT` : `${name}=${literal(base)}`
      })
      const sql = `SET ${resets.join(', ')}`
      if (this.#hasParams) this.native.QueryWithParamsConnection(connection, sql, 'Null', { _: '0' })
      else this.native.QueryWithConnection(connection, sql, 'Null')
      this.#changed.clear()
      this.#hasParams = false
      if (!keepState) this.#database = 'default'
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
