/**
 * The one connection to ClickHouse, embedded, server or cluster: statements in, rows or bytes out, and its errors as
 * ours. Knows nothing of what the tables mean.
 */
import { Agent } from 'node:http'
import { Readable } from 'node:stream'
import { type ClickHouseClient, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { CLUSTER_SETTINGS, mutableName, type Table } from './cluster.js'
import { withoutException } from './exception-tail.js'
import { withPatience } from './patience.js'
import type { Sql } from './sql.js'
import { storeError } from './store-error.js'

export interface StoreOptions {
  url: string
  username?: string
  password?: string
  database?: string
  /** connections at once; further statements wait inside the client */
  connections?: number
  /** the cluster's name, if it is one: its settings go with every statement */
  cluster?: string
}

/** What one statement may use; past it the statement ends with `TOO_SLOW` or `LIMIT_HIT`. */
export interface Limits {
  seconds?: number
  memoryBytes?: number
  readBytes?: number
}

export interface StatementOptions {
  limits?: Limits
  settings?: ClickHouseSettings
  signal?: AbortSignal
}

const INSERT_SETTINGS: ClickHouseSettings = { async_insert: 0, optimize_on_insert: 0 }

/** A pool of connections to one ClickHouse. Every method throws `HeddleError`s only. */
export class Store {
  private readonly client: ClickHouseClient

  private readonly cluster: string | undefined

  constructor(options: StoreOptions) {
    this.cluster = options.cluster
    const connections = options.connections ?? 32
    this.client = createClient({
      url: options.url,
      username: options.username ?? 'default',
      password: options.password ?? '',
      database: options.database ?? 'default',
      max_open_connections: connections,
      request_timeout: 310_000,
      compression: { request: false, response: false },
      keep_alive: { enabled: true },
      use_multipart_params_auto: true,
      log: { level: 127 },
      clickhouse_settings: {
        date_time_input_format: 'best_effort',
        output_format_json_quote_64bit_integers: 0,
        ...(options.cluster !== undefined && CLUSTER_SETTINGS),
      },
      http_agent: new Agent({ keepAlive: true, maxSockets: connections }),
    })
  }

  /** What UPDATE and DELETE FROM call `table`: on a cluster a Distributed table takes neither. */
  mutable(table: Table): Sql {
    return mutableName(table, this.cluster)
  }

  /** Rows of a SELECT as objects: for small results alone. */
  async rows<Row>(statement: Sql, options: StatementOptions = {}): Promise<Row[]> {
    const { query, params } = statement.render()
    try {
      return await withPatience(options.limits?.seconds, options.signal, async (signal) => {
        const bounds = request({ ...options, ...(signal && { signal }) })
        const result = await this.client.query({
          query,
          query_params: params,
          format: 'JSONEachRow',
          ...bounds,
        })
        return await result.json<Row>()
      })
    } catch (error) {
      throw storeError(error)
    }
  }

  /** The first row of a SELECT, or undefined. */
  async row<Row>(statement: Sql, options: StatementOptions = {}): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, options))[0]
  }

  /**
   * The bytes of a SELECT in `format`, as they come. Ending the iteration early cancels the statement.
   * An error after the first byte is thrown by the iterator.
   */
  async stream(
    statement: Sql,
    format: string,
    options: StatementOptions = {},
  ): Promise<AsyncIterable<Uint8Array>> {
    const { query, params } = statement.render()
    try {
      const text = `${query} FORMAT ${format}`
      // Only until the answer begins: a long export to a slow reader is no stall.
      const result = await withPatience(options.limits?.seconds, options.signal, (signal) =>
        this.client.exec({
          query: text,
          query_params: params,
          ...request({ ...options, ...(signal && { signal }) }),
        }),
      )
      const tag = result.response_headers['x-clickhouse-exception-tag']
      return guarded(result.stream as Readable, typeof tag === 'string' ? tag : undefined)
    } catch (error) {
      throw storeError(error)
    }
  }

  /** Runs a statement without a result: INSERT … SELECT, UPDATE, DELETE. */
  async run(statement: Sql, options: StatementOptions = {}): Promise<void> {
    const { query, params } = statement.render()
    try {
      const inserts = { ...options, settings: { ...INSERT_SETTINGS, ...options.settings } }
      await this.client.command({ query, query_params: params, ...request(inserts) })
    } catch (error) {
      throw storeError(error)
    }
  }

  /**
   * Inserts encoded blocks (`format` Native, RowBinary, JSONEachRow, …). Resolves when ClickHouse has committed them.
   * @param table a table name from the source code
   */
  async insert(
    table: string,
    format: string,
    blocks: readonly Uint8Array[],
    options: StatementOptions = {},
  ): Promise<void> {
    try {
      const inserts = { ...options, settings: { ...INSERT_SETTINGS, ...options.settings } }
      const result = await this.client.exec({
        query: `INSERT INTO ${table} FORMAT ${format}`,
        values: Readable.from(blocks, { objectMode: false }),
        ...request(inserts),
      })
      for await (const _ of result.stream as Readable);
    } catch (error) {
      throw storeError(error)
    }
  }

  /**
   * Inserts rows given as objects: for the small tables; calls and the like come as blocks.
   * @param table a table name from the source code
   */
  async insertRows(table: string, rows: readonly object[], options: StatementOptions = {}): Promise<void> {
    if (rows.length === 0) return
    const text = rows.map((row) => JSON.stringify(row)).join('\n')
    await this.insert(table, 'JSONEachRow', [Buffer.from(wellFormed(text))], options)
  }

  /** Runs text that ships with the program (migrations). Never give it a caller's text. */
  async runTrusted(query: string): Promise<void> {
    try {
      await this.client.command({ query })
    } catch (error) {
      throw storeError(error)
    }
  }

  /** True if ClickHouse answers, to anyone, within `patienceMs`. Never throws. */
  async alive(patienceMs = 2000): Promise<boolean> {
    const signal = AbortSignal.timeout(patienceMs)
    const pinged = this.client.ping({ select: false, abort_signal: signal })
    return pinged.then(({ success }) => success).catch(() => false)
  }

  async close(): Promise<void> {
    await this.client.close()
  }
}

/** JSON whose texts have no half of a surrogate pair, which no UTF-8 has: U+FFFD instead, as Buffer does it. */
function wellFormed(json: string): string {
  if (!json.includes('\\ud')) return json
  return json.replaceAll(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (escape) => (escape.length > 2 ? '\ufffd' : escape))
}

function request(options: StatementOptions) {
  const { limits, settings, signal } = options
  const bounds: ClickHouseSettings = {
    ...(limits?.seconds !== undefined && { max_execution_time: limits.seconds }),
    ...(limits?.memoryBytes !== undefined && { max_memory_usage: String(limits.memoryBytes) }),
    ...(limits?.readBytes !== undefined && { max_bytes_to_read: String(limits.readBytes) }),
  }
  return { clickhouse_settings: { ...bounds, ...settings }, ...(signal && { abort_signal: signal }) }
}

async function* guarded(stream: Readable, tag: string | undefined): AsyncGenerator<Uint8Array> {
  try {
    yield* withoutException(stream, tag)
  } catch (error) {
    throw storeError(error)
  } finally {
    stream.destroy()
  }
}
