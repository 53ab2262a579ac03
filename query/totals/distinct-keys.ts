/** How many values a column of a project's calls has, by the hashes of those of each part of the table. */
import { KeptParts, type Reader } from '../../domain/calls/read/kept-parts.js'
import { statistics } from '../../domain/calls/read/statistics.js'
import { everyRow, single } from '../../domain/calls/read/visible.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'

/** Values that are counted, and of which calls. */
export interface Counted {
  key: Sql
  conditions: readonly Sql[]
  /** of running calls, too */
  withRunning: boolean
}

/** Hashes kept over all projects, 8 bytes each, and those of one project: more take too long to be put together. */
const MOST = 2_000_000
const MOST_OF_PROJECT = 200_000

/** Of the values of a part. */
interface Hashes {
  hashes: readonly number[]
}

export class DistinctKeys {
  private readonly kept: KeptParts<Hashes>

  constructor(
    store: Store,
    private readonly reader: Reader,
    private readonly counted: Counted,
    quickMs?: number,
  ) {
    this.kept = new KeptParts(store, reader, (projectId, parts) => ofParts(projectId, counted, parts), {
      most: MOST,
      mostOfProject: MOST_OF_PROJECT,
      weigh: ({ hashes }) => 1 + hashes.length,
      ...(quickMs !== undefined && { quickMs }),
    })
  }

  /** How many there are. @param projectId internal @param table counts them in the table */
  count(projectId: string, table: () => Promise<number>, signal: AbortSignal): Promise<number> {
    const running = async () => (this.counted.withRunning ? this.running(projectId, signal) : [])
    const together = (parts: readonly Hashes[], open: readonly Hashes[]) => distinct([...open, ...parts])
    return this.kept.answer(projectId, { table, running, together }, signal)
  }

  private running(projectId: string, signal: AbortSignal): Promise<Hashes[]> {
    const from = single('calls_open', projectId, conditionsOf(this.counted))
    return this.reader.rows(sql`SELECT ${hashesOf(this.counted)} ${from}`, signal)
  }
}

function distinct(all: readonly Hashes[]): number {
  const sorted = Float64Array.from(all.flatMap(({ hashes }) => hashes)).sort()
  return sorted.reduce((count, hash, i) => count + (hash === sorted[i - 1] ? 0 : 1), 0)
}

const conditionsOf = ({ key, conditions }: Counted): Sql[] => [...conditions, sql`${key} != ''`]

/** 53 bits, which a number holds: of 100,000 values two are alike once in two million projects. */
const hashesOf = ({ key }: Counted): Sql =>
  sql`groupUniqArray(${bind.uint(MOST_OF_PROJECT + 1)})(toFloat64(bitShiftRight(cityHash64(${key}), 11))) AS hashes`

const ofParts = (projectId: string, counted: Counted, parts: Sql): Sql =>
  statistics({
    ...{ keys: [['part', sql`_part`]], columns: [hashesOf(counted)] },
    from: everyRow('calls', projectId, [...conditionsOf(counted), parts]),
  })
