/**
 * Sums over the spans of agents, kept by part of the table: parts never change, so that a list reads only the parts that
 * are new. Says nothing where sums by part would be wrong: on a cluster, while a call has several rows, and while parts
 * are merged or patched.
 */
import { statistics } from '../../domain/calls/read/statistics.js'
import { everyRow } from '../../domain/calls/read/visible.js'
import { unsettledCalls } from '../../domain/calls/unsettled.js'
import { bind, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { Lru } from '../../platform/lru/lru.js'
import type { AgentSums } from './agents.js'
import { SUMS } from './grouped.js'

/** Sums kept over all projects, and those of one project above which it is not worth it. */
const MOST = 200_000
const MOST_OF_PROJECT = MOST / 16
/** A project with more is asked again this much later (ms). */
const LATER_MS = 60_000

interface Kept {
  /** patches of the table when these were summed */
  patches: string
  parts: Map<string, AgentSums[]>
}

/** The parts at one time. */
interface Parts {
  names: Set<string>
  patches: string
  /** calls of the project with several rows */
  unsettled: number
}

type Rows = <Row>(statement: Sql, signal: AbortSignal) => Promise<Row[]>

export class PartSums {
  private readonly kept = new Lru<Kept>(MOST, ({ parts }) =>
    Array.from(parts.values()).reduce((sum, sums) => sum + 1 + sums.length, 0),
  )
  private readonly tooMany = new Lru<number>(10_000)

  constructor(
    private readonly store: Store,
    private readonly rows: Rows,
  ) {}

  /** The sums of each part of a project, by agent and version; undefined: only the table can tell. @param projectId internal */
  async of(projectId: string, signal: AbortSignal): Promise<AgentSums[] | undefined> {
    if (this.store.isCluster) return undefined
    if (performance.now() - (this.tooMany.get(projectId) ?? Number.NEGATIVE_INFINITY) < LATER_MS)
      return undefined
    const before = await this.parts(projectId, signal)
    const last = this.kept.get(projectId)
    const known = new Map(last?.patches === before.patches ? last.parts : [])
    for (const name of known.keys()) if (!before.names.has(name)) known.delete(name)
    const found = await this.rows<AgentSums & { part: string }>(
      unknownParts(projectId, [...known.keys()]),
      signal,
    )
    if (found.length > MOST_OF_PROJECT) {
      this.tooMany.set(projectId, performance.now())
      return undefined
    }
    const after = await this.parts(projectId, signal)
    const isSame =
      before.patches === after.patches && [...before.names].every((name) => after.names.has(name))
    if (!isSame || after.unsettled > 0) return undefined
    // Those without spans of agents, too.
    for (const name of before.names) if (!known.has(name)) known.set(name, [])
    for (const { part, ...sums } of found) known.set(part, [...(known.get(part) ?? []), sums])
    this.kept.set(projectId, { patches: after.patches, parts: known })
    return [...known.values()].flat()
  }

  private async parts(projectId: string, signal: AbortSignal): Promise<Parts> {
    const rows = await this.rows<{ name: string; unsettled: number }>(
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

/** The sums of parts that are not `known`. */
function unknownParts(projectId: string, known: readonly string[]): Sql {
  const conditions = [sql`span_kind > 0`, sql`agent_name != ''`, sql`_part NOT IN ${bind.strings(known)}`]
  const keys = ['agent_name', 'agent_version'].map((name) => [name, ident(name)] as const)
  const from = everyRow('calls', projectId, conditions)
  const sums = statistics({ keys: [['part', sql`_part`], ...keys], columns: [SUMS], from })
  return sql`${sums} LIMIT ${bind.uint(MOST_OF_PROJECT + 1)}`
}
