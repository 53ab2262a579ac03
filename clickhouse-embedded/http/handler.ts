/** One request from its parameters to its reply. Knows the protocol; the engine only as kinds of work and jobs. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BESIDE_OTHERS } from '../../platform/clickhouse/beside-others.js'
import { MAY_USE_RESERVE } from '../../platform/clickhouse/disk-room.js'
import { LACKS_SINCE, MAY_LACK } from '../../platform/clickhouse/partial-read.js'
import {
  boundaryOf,
  FormError,
  isForm,
  type Part,
  parseMultipart,
  textOf,
} from '../../platform/http/multipart.js'
import type { Engine } from '../engine/engine.js'
import { engineFailure, failure, isFatal, type QueryFailure } from '../engine/failure.js'
import type { Job } from '../engine/protocol.js'
import type { WorkKind } from '../engine/semaphores.js'
import type { Running } from '../engine/thread.js'
import type { LogGate, Rest } from '../log/gate.js'
import { rowsOfNative } from '../log/native-block.js'
import { maxLoggedBytes, type WriteLog } from '../log/write-log.js'
import { contentType, headerLines } from '../sql/formats.js'
import { literal } from '../sql/literal.js'
import { insertFromFile } from '../sql/statement.js'
import type { TempFiles } from '../temp-file.js'
import { type Request, readBody, readSmall } from './body.js'
import { type Credentials, checkCredentials } from './credentials.js'
import { type Parameters, readParameters } from './parameters.js'
import { type Source, sendFailure, sendResult } from './reply.js'

export type HandlerOptions = {
  engine: Engine
  tempFiles: TempFiles
  log: WriteLog
  gate: LogGate
  credentials: Credentials
  /** Bytes that one body may have. */
  maxBody: number
  /** Bytes that a result in a format that can't be streamed may have. */
  maxWhole: number
  /** The engine answers nothing any more. */
  onFatal(failure: QueryFailure): void
}

type Plan = {
  kind: WorkKind
  job: Job
  /** Starts it, in another way than by the engine. */
  run?: () => Promise<Running>
  /** It went well. */
  done?: () => void
  release: () => void
  hidden?: string
  /** ms since the epoch from which on rows may be lacking */
  lacksSince?: number | undefined
  /** goes before the result */
  first?: Buffer
  rest?: Rest
}

/** Makes the listener for a `node:http` server. */
export function handler(
  options: HandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { engine, log, gate } = options
  const common = {
    'X-ClickHouse-Server-Display-Name': 'clickhouse-embedded',
    'X-ClickHouse-Timezone': engine.timezone,
  }
  return async (request, response) => {
    let headers: Record<string, string> = common
    const gone = new AbortController()
    // An abort costs more than all that listens to it; after the answer nobody does.
    response.once('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    try {
      const url = new URL(request.url ?? '/', 'http://localhost')
      const isGet = request.method === 'GET' || request.method === 'HEAD'
      if (isGet && url.pathname === '/ping') return sendText(response, 200, 'Ok.\n', headers)
      if (url.pathname !== '/') {
        return sendText(response, 404, `There is no handle ${url.pathname.slice(0, 200)}\n`, headers)
      }
      if (!isGet && request.method !== 'POST') {
        return sendText(response, 405, 'Use GET or POST\n', { ...headers, Allow: 'GET, HEAD, POST' })
      }
      const params = new Map(url.searchParams)
      checkCredentials(request, params, options.credentials)
      if (isGet && !params.has('query')) return sendText(response, 200, 'Ok.\n', headers)
      const type = request.headers['content-type'] ?? ''
      if (isForm(type)) addFields(params, await readSmall(request), type)
      const parameters = readParameters(params, isGet)
      headers = { ...common, 'X-ClickHouse-Query-Id': encodeURIComponent(parameters.queryId) }
      const asked = await readBody(
        request,
        parameters.query,
        options.tempFiles,
        options.maxBody,
        (insert, compression) => (gate.openingOf(insert, parameters, compression) ? maxLoggedBytes : 0),
      )
      const mayLack = request.headers[MAY_LACK] !== undefined
      const mayUseReserve = request.headers[MAY_USE_RESERVE] !== undefined
      const chosen = await choose(asked, parameters, mayLack, mayUseReserve)
      if (chosen.lacksSince !== undefined) headers = { ...headers, [LACKS_SINCE]: String(chosen.lacksSince) }
      await answer(request, response, parameters, chosen, headers, gone.signal)
    } catch (error) {
      request.resume()
      sendFailure(response, failed(error), headers)
    }
  }

  function failed(error: unknown, hidden?: string): QueryFailure {
    const found = engineFailure(error, hidden)
    if (isFatal(found)) options.onFatal(found)
    return found
  }

  /** Inserts that the log takes go there; other statements wait until what they could read has left it. */
  async function choose(
    asked: Request,
    parameters: Parameters,
    mayLack: boolean,
    mayUseReserve: boolean,
  ): Promise<Plan> {
    if (asked.kind === 'text') {
      const made = plan(asked, parameters, options)
      const isRead = made.kind === 'read'
      const { format } = made.job
      const admitted = await gate.before(asked.sql, isRead, parameters, { format, mayLack })
      const { ended, lacksSince, first, bound, rest } = admitted
      return {
        ...made,
        ...(bound && { job: { ...made.job, params: bound } }),
        ...(first && { first }),
        ...(rest && { rest }),
        release: ended,
        lacksSince,
      }
    }
    const room = mayUseReserve ? log.roomForDelete() : log.roomFor(asked.kind === 'short' ? asked.length : 0)
    await room.catch((error: unknown) => {
      if (asked.kind === 'short') asked.release()
      else asked.file.release()
      throw error
    })
    if (asked.kind === 'data') return plan(asked, parameters, options)
    const { insert, chunks, length } = asked
    const opening = gate.openingOf(insert, parameters, 'none')!
    const rows = rowsOfNative(chunks)
    if (rows === 0 || !log.takes(opening, length)) {
      return { ...plan(asked.spill(), parameters, options), done: () => log.proved(opening) }
    }
    const run = async (): Promise<Running> => {
      await log.append(opening, { chunks, length, rows })
      return committed(rows, length)
    }
    const { release } = asked
    return {
      ...plan({ kind: 'text', sql: insert.head, statement: insert }, parameters, options),
      run,
      release,
    }
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    parameters: Parameters,
    { kind, job, run, done, release, hidden, first, rest }: Plan,
    headers: Record<string, string>,
    gone: AbortSignal,
  ): Promise<void> {
    const startedAt = process.hrtime.bigint()
    const read = (error: unknown) => failed(error, hidden)
    try {
      const { session, caller } = parameters
      const isBeside = request.headers[BESIDE_OTHERS] !== undefined
      const begin = (job: Job) => engine.run(kind, job, gone, session, caller, isBeside)
      const running = await (run?.() ?? (rest ? runRest(rest, job, begin) : begin(job)))
      // Only reads are ended: a write may be done already, and its client will want to find it whole.
      const cancel = (): void => void engine.cancel(running, job.tag)
      if (kind === 'read') {
        if (gone.aborted) cancel()
        else gone.addEventListener('abort', cancel, { once: true })
        void running.settled.then(() => gone.removeEventListener('abort', cancel))
      }
      const mayZip = parameters.compress && /\bgzip\b/i.test(String(request.headers['accept-encoding']))
      const resultHeaders = {
        ...headers,
        'Content-Type': contentType(job.format),
        'X-ClickHouse-Format': job.format,
      }
      await sendResult(
        response,
        first && first.length > 0 ? behind(first, running) : running,
        {
          headers: resultHeaders,
          gzipLevel: mayZip ? parameters.compressionLevel : undefined,
          waitForEnd: parameters.waitEndOfQuery,
          startedAt,
        },
        read,
      )
      await running.settled
      if (running.outcome) {
        done?.()
        rest?.found(running.outcome.resultRows > 0)
      }
    } catch (error) {
      sendFailure(response, read(error), headers)
    } finally {
      release()
    }
  }
}

/** A result with something before it. */
function behind(first: Uint8Array, running: Running): Source {
  let next: Uint8Array | undefined = first
  return {
    next: async () => {
      const chunk = next ?? (await running.next())
      next = undefined
      return chunk
    },
    get outcome() {
      return running.outcome
    },
  }
}

/** Runs `job` unless the probe says that it gives no row. */
async function runRest({ probe }: Rest, job: Job, begin: (job: Job) => Promise<Running>): Promise<Running> {
  if (probe === undefined) return begin(job)
  const probing = await begin({ ...job, sql: probe })
  const row = await probing.next()
  while (await probing.next());
  await probing.settled
  return row ? begin(job) : committed(0, 0)
}

/** An insert that is done, or a read without rows. */
function committed(rows: number, bytes: number): Running {
  const none = { resultRows: 0, resultBytes: 0, readRows: 0, readBytes: 0 }
  return {
    next: async () => undefined,
    settled: Promise.resolve(),
    outcome: { ...none, writtenRows: rows, writtenBytes: bytes },
    cancel: () => {},
  }
}

/** How the engine runs a request. */
function plan(
  asked: Exclude<Request, { kind: 'short' }>,
  parameters: Parameters,
  options: HandlerOptions,
): Plan {
  const base = {
    headerLines: 0,
    settings: parameters.settings,
    params: parameters.bound,
    database: parameters.database,
    tag: parameters.queryId,
    keepState: parameters.session !== undefined,
  }
  const fallback = parameters.defaultFormat ?? 'TabSeparated'
  if (asked.kind === 'data') {
    const { file, insert, compression } = asked
    const sql = insertFromFile(insert, literal(file.path), compression)
    const job: Job = { ...base, sql, mode: 'write', format: fallback }
    return { kind: 'write', job, release: () => file.release(), hidden: file.path }
  }
  const { sql, statement } = asked
  if (sql.trim() === '') throw failure(62, 'SYNTAX_ERROR', 'Empty query')
  const release = (): void => {}
  if (statement.kind === 'insert' || statement.kind === 'insert-select') {
    const job: Job = { ...base, sql, mode: 'write', format: fallback }
    return { kind: statement.kind === 'insert' ? 'write' : 'command', job, release }
  }
  const format = ('format' in statement ? statement.format : undefined) ?? fallback
  const header = headerLines(format)
  const isRead = statement.kind === 'select' || statement.kind === 'show'
  if (statement.kind === 'select' && header !== undefined) {
    const job: Job = { ...base, sql, mode: 'stream', format, headerLines: header }
    return { kind: 'read', job, release }
  }
  const hasLimit = base.settings.some(([name]) => name === 'max_result_bytes')
  const limit: [string, string][] = hasLimit ? [] : [['max_result_bytes', String(options.maxWhole)]]
  const settings = isRead ? [...limit, ...base.settings] : base.settings
  return {
    kind: isRead ? 'read' : 'command',
    job: { ...base, sql, mode: 'whole', format, settings },
    release,
  }
}

/** @throws QueryFailure where the body isn't well-formed */
function addFields(params: Map<string, string>, body: Buffer, type: string): void {
  for (const part of fieldsOf(body, type)) {
    if (part.name !== 'query' && !part.name.startsWith('param_')) {
      throw failure(48, 'NOT_IMPLEMENTED', 'External tables are not supported by the embedded engine')
    }
    params.set(part.name, textOf(part)!)
  }
}

function fieldsOf(body: Buffer, type: string): Part[] {
  try {
    return parseMultipart(body, boundaryOf(type), Number.POSITIVE_INFINITY)
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    throw failure(36, 'BAD_ARGUMENTS', `The multipart body can't be read: ${error.message}`)
  }
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string>,
): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}
