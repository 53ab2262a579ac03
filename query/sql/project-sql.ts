/**
 * Runs statements of callers over one project. Four things keep it to that project's rows, each by itself: the statement
 * is written anew over views of the project (`rewrite.ts`); the engine adds the project's condition to whatever it reads
 * from our tables; it only reads, and takes no settings from the text; and its limits bound what it may cost.
 */
import type { ClickHouseSettings } from '@clickhouse/client'
import { READ_SETTINGS } from '../../domain/calls/read/settings.js'
import { TABLES } from '../../platform/clickhouse/cluster.js'
import { bind, quoted, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import type { Caller } from '../../platform/fairness/caller.js'
import { FairSemaphore, type Permit } from '../../platform/fairness/fair-semaphore.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { ROW_GROUPS } from '../export/parquet.js'
import type { Converted } from './converted.js'
import { type Ran, sqlFailure } from './failure.js'
import { rewrite, type Views } from './rewrite.js'
import { namedIn, rowsOfProject, VIEWS } from './views.js'

/** How results are written: the engine's format, its content type, and what an embedded engine does. */
export const FORMATS = {
  json: { format: 'JSON', type: 'application/json', embedded: 'whole' },
  jsonl: { format: 'JSONEachRow', type: 'application/jsonl', embedded: 'streams' },
  csv: { format: 'CSVWithNames', type: 'text/csv; charset=utf-8', embedded: 'streams' },
  parquet: { format: 'Parquet', type: 'application/vnd.apache.parquet', embedded: 'converts' },
  arrow: { format: 'Arrow', type: 'application/vnd.apache.arrow.file', embedded: 'converts' },
} as const
export type SqlFormat = keyof typeof FORMATS

/** The most of one statement. */
export interface SqlLimits {
  seconds: number
  memoryBytes: number
  readRows: number
  readBytes: number
  resultRows: number
  resultBytes: number
}

export interface SqlRequest {
  /** `entity/project`; the caller may read it */
  project: string
  query: string
  format: SqlFormat
  params?: Readonly<Record<string, unknown>>
  /** lower ones than those of the service */
  limits?: Partial<Pick<SqlLimits, 'seconds' | 'readRows' | 'readBytes' | 'resultRows' | 'resultBytes'>>
}

const MIB = 2 ** 20
/** Those of a server that is not configured otherwise. */
const LIMITS: SqlLimits = {
  seconds: 30,
  memoryBytes: 300 * MIB,
  readRows: 1e9,
  readBytes: 20 * 1024 * MIB,
  resultRows: 1e6,
  resultBytes: 256 * MIB,
}

/** Results in formats that an embedded engine makes whole, in its memory. */
const MOST_WHOLE = 48 * MIB
const WHOLE: ReadonlySet<string> = new Set(
  Object.values(FORMATS).flatMap(({ format, embedded }) => (embedded === 'streams' ? [] : [format])),
)

export class ProjectSql {
  private readonly permits: FairSemaphore

  /**
   * @param atOnce statements that run at a time; callers share them
   * @param whole who writes {@link FORMATS} that an embedded engine makes whole: a server streams them; undefined: in memory
   */
  constructor(
    private readonly store: Store,
    private readonly limits: SqlLimits = LIMITS,
    atOnce = 4,
    private readonly whole?: Converted | 'streamed',
  ) {
    this.permits = new FairSemaphore(atOnce)
  }

  /**
   * The bytes of the result. Ending the iteration, or `signal`, ends the statement.
   * @throws SQL_* errors, `LIMIT_HIT`, `TOO_SLOW`; also while it is iterated
   */
  async run(request: SqlRequest, caller: Caller, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { project, query, format, params = {} } = request
    const { statement, views } = rewrite(query, viewsOf(project, this.store.database), params)
    const ran: Ran = {
      text: query,
      secret: projectIdOf(project),
      columns: Object.fromEntries(
        VIEWS.filter(({ name }) => views.includes(name)).map(({ name, columns }) => [
          name,
          columns.map((one) => one.name),
        ]),
      ),
    }
    const failed = (error: unknown) => sqlFailure(error, ran, () => this.unreadableAt(query, caller, signal))
    const permit = await this.permits.acquire(caller, signal)
    try {
      const bytes = (given: string) =>
        this.store.stream(statement, given, { caller, signal, ...this.optionsOf(request, given) })
      return held(await this.result(format, bytes, request, signal), permit, failed)
    } catch (error) {
      permit.release()
      throw await failed(error)
    }
  }

  /** @param bytes the result in one of the engine's formats */
  private async result(
    asked: SqlFormat,
    bytes: (format: string) => Promise<AsyncIterable<Uint8Array>>,
    request: SqlRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    const { format, embedded } = FORMATS[asked]
    if (typeof this.whole !== 'object' || embedded !== 'converts') return bytes(format)
    const { memoryBytes, seconds } = this.optionsOf(request, format).limits!
    const bounds = { limits: { memoryBytes, seconds }, signal }
    return (await this.whole.bytes(await bytes('Native'), format, bounds)) ?? bytes(format)
  }

  /** @param format the engine's, which the result gets from this statement */
  private optionsOf({ project, limits: asked = {} }: SqlRequest, format: string): StatementOptions {
    const most = (name: keyof typeof asked) =>
      Math.min(this.limits[name], asked[name] ?? Number.POSITIVE_INFINITY)
    const bytes = most('resultBytes')
    const isWhole = WHOLE.has(format) && this.whole !== 'streamed'
    const settings: ClickHouseSettings = {
      ...READ_SETTINGS,
      query_plan_join_swap_table: 'auto',
      ...(format === 'Parquet' && ROW_GROUPS),
      ...guards(this.store.database, projectIdOf(project), this.store.isCluster),
      // They would count rows of others that lie beside those of the project.
      output_format_write_statistics: 0,
      max_rows_to_read: String(most('readRows')),
      max_result_rows: String(most('resultRows')),
      max_result_bytes: String(isWhole ? Math.min(bytes, MOST_WHOLE) : bytes),
      result_overflow_mode: 'throw',
      // Infinite ones end here, too.
      max_recursive_cte_evaluation_depth: '1000',
    }
    const limits = {
      seconds: most('seconds'),
      memoryBytes: this.limits.memoryBytes,
      readBytes: most('readBytes'),
    }
    return { limits, settings }
  }

  /** Where the engine can't read a text; undefined where it can. */
  private async unreadableAt(text: string, caller: Caller, signal: AbortSignal): Promise<number | undefined> {
    try {
      await this.store.rows(sql`SELECT formatQuery(${bind.string(text)})`, { caller, signal })
      return undefined
    } catch (error) {
      const message = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
      const at = /failed at position (\d+)/.exec(message)?.[1]
      // The engine counts bytes, from 1.
      return at === undefined
        ? undefined
        : Buffer.from(text)
            .subarray(0, Number(at) - 1)
            .toString().length
    }
  }
}

/**
 * The settings under which a statement, whatever it says, sets nothing, writes nothing, and gets of our tables the
 * project's rows alone, or none: the engine adds the condition where it reads a table. A cluster sends settings to its
 * shards, which 1 forbids; 2 lets the text set some, which `rewrite.ts` leaves no way to say.
 */
export function guards(database: string, projectId: string, isCluster = false): ClickHouseSettings {
  const own = rowsOfProject(projectId)
  const entries = TABLES.flatMap((table) =>
    [table, `${table}_local`].map(
      (name) => `'${database}.${name}':'${(own[table] ?? '0').replaceAll("'", "\\'")}'`,
    ),
  )
  const filters = `{${entries.join(',')}}`
  return {
    readonly: isCluster ? '2' : '1',
    additional_table_filters: filters,
  } as unknown as ClickHouseSettings
}

/** The views of a project. */
function viewsOf(project: string, database: string): Views {
  return {
    names: VIEWS.map(({ name }) => name),
    select: (name, only) => VIEWS.find((view) => view.name === name)!.select(project, { only }),
    closed: new Set(['system', 'information_schema', database.toLowerCase()]),
    named: (name) => namedIn(project, name, quoted),
  }
}

/** The bytes, whose permit is released when they have ended. */
async function* held(
  bytes: AsyncIterable<Uint8Array>,
  permit: Permit,
  failed: (error: unknown) => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    throw await failed(error)
  } finally {
    permit.release()
  }
}
