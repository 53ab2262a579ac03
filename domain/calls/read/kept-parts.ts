/**
 * Keeps what a statement finds in each part of the table of calls. Parts never change, so only those that are new are read.
 * Says nothing where what parts have can't be added up: on a cluster, while a call has several rows, and while parts are
 * merged or patched.
 */
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'
import { Lru } from '../../../platform/lru/lru.js'
import { unsettledCalls } from '../unsettled.js'

/** A project with too much is asked again this much later (ms). */
const LATER_MS = 60_000
/** The table is read as long as that takes less (ms): parts take three statements. */
const QUICK_MS = 60

interface Kept<Row> {
  /** patches of the table when these were read */
  patches: string
  parts: Map<string, Row[]>
}

/** The parts at one time. */
interface Parts {
  names: Set<string>
  patches: string
  /** calls of the project with several rows */
  unsettled: number
}

interface Limits<Row> {
  /** weight of all that is kept */
  most: number
  /** weight of one project above which it is not worth it */
  mostOfProject: number
  /** default: 1 */
  weigh?: (row: Row) => number
  /** default: {@link QUICK_MS} */
  quickMs?: number
}

/** Runs statements. */
export interface Reader {
  rows<Row>(statement: Sql, signal: AbortSignal): Promise<Row[]>
}

/** Two ways to the same answer about a project. */
interface Ways<Row, Running, Answer> {
  /** by one statement over its table */
  table: () => Promise<Answer>
  /** what running calls add to the rows of parts */
  running: () => Promise<Running>
  together: (parts: readonly Row[], running: Running) => Answer
}

export class KeptParts<Row> {
  private readonly kept: Lru<Kept<Row>>
  private readonly tooMany = new Lru<number>(10_000)
  /** projects whose table was slow to read */
  private readonly slow = new Lru<true>(10_000)

  /**
   * @param statement the rows of some parts of a project, each with its `part`. It selects from {@link callsOf}, so that rows
   * of the embedded engine's log are in parts by then.
   */
  constructor(
    private readonly store: Store,
    private readonly reader: Reader,
    private readonly statement: (projectId: string, parts: Sql) => Sql,
    private readonly limits: Limits<Row>,
  ) {
    const { most, mostOfProject } = limits
    const weigh = ({ parts }: Kept<Row>) => parts.size + this.weightOf([...parts.values()].flat())
    this.kept = new Lru(most, weigh, mostOfProject)
  }

  /** The answer of the table; where that has taken long, of the parts. @param projectId internal */
  async answer<Running, Answer>(
    projectId: string,
    { table, running, together }: Ways<Row, Running, Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (this.slow.has(projectId)) {
      // First: a call that ends meanwhile is stored in a part before it is no longer running.
      const open = await running()
      const parts = await this.of(projectId, signal)
      if (parts !== undefined) return together(parts, open)
    }
    const start = performance.now()
    const answer = await table()
    if (performance.now() - start >= (this.limits.quickMs ?? QUICK_MS)) this.slow.set(projectId, true)
    return answer
  }

  /** The rows of each part of a project; undefined: only the table can tell. @param projectId internal */
  async of(projectId: string, signal: AbortSignal): Promise<Row[] | undefined> {
    if (this.store.isCluster) return undefined
    if (performance.now() - (this.tooMany.get(projectId) ?? Number.NEGATIVE_INFINITY) < LATER_MS)
      return undefined
    const before = await this.parts(projectId, signal)
    const last = this.kept.get(projectId)
    const known = new Map(last?.patches === before.patches ? last.parts : [])
    for (const name of known.keys()) if (!before.names.has(name)) known.delete(name)
    const unknown = sql`_part NOT IN ${bind.strings([...known.keys()])}`
    const found = await this.reader.rows<Row & { part: string }>(this.statement(projectId, unknown), signal)
    if (this.weightOf(found) > this.limits.mostOfProject) {
      this.tooMany.set(projectId, performance.now())
      return undefined
    }
    const after = await this.parts(projectId, signal)
    const isSame =
      before.patches === after.patches && [...before.names].every((name) => after.names.has(name))
    if (!isSame || after.unsettled > 0) return undefined
    // Those without a row, too.
    for (const name of before.names) if (!known.has(name)) known.set(name, [])
    for (const { part, ...row } of found) known.set(part, [...(known.get(part) ?? []), row as unknown as Row])
    this.kept.set(projectId, { patches: after.patches, parts: known })
    return [...known.values()].flat()
  }

  private weightOf(rows: readonly Row[]): number {
    const { weigh } = this.limits
    return weigh ? rows.reduce((sum, row) => sum + weigh(row), 0) : rows.length
  }

  private async parts(projectId: string, signal: AbortSignal): Promise<Parts> {
    const rows = await this.reader.rows<{ name: string; unsettled: number }>(
      sql`SELECT name, ${unsettledCalls(projectId, 'whole')} AS unsettled FROM system.parts
        WHERE database = currentDatabase() AND table = 'calls' AND active ORDER BY name`,
      signal,
    )
    const isPatch = (name: string) => name.startsWith('patch-')
    const names = rows.map(({ name }) => name)
    return {
      names: new Set(names.filter((name) => !isPatch(name))),
      patches: names.filter(isPatch).join(),
      unsettled: rows[0]?.unsettled ?? 0,
    }
  }
}
