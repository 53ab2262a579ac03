/** Sums over the spans of agents, kept by part of the table, so that a list reads only the parts that are new. */
import { KeptParts, type Reader } from '../../domain/calls/read/kept-parts.js'
import { statistics } from '../../domain/calls/read/statistics.js'
import { everyRow } from '../../domain/calls/read/visible.js'
import { bind, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { AgentSums } from './agents.js'
import { SUMS } from './grouped.js'

/** Sums kept over all projects, and of one project. */
const MOST = 200_000
const MOST_OF_PROJECT = MOST / 16

/** By agent and version, of each part. */
export const partSums = (store: Store, reader: Reader): KeptParts<AgentSums> =>
  new KeptParts(store, reader, sumsOfParts, { most: MOST, mostOfProject: MOST_OF_PROJECT })

function sumsOfParts(projectId: string, parts: Sql): Sql {
  const conditions = [sql`span_kind > 0`, sql`agent_name != ''`, parts]
  const keys = ['agent_name', 'agent_version'].map((name) => [name, ident(name)] as const)
  const from = everyRow('calls', projectId, conditions)
  const sums = statistics({ keys: [['part', sql`_part`], ...keys], columns: [SUMS], from })
  return sql`${sums} LIMIT ${bind.uint(MOST_OF_PROJECT + 1)}`
}
