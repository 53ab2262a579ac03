/** Metrics of the store: statements, table sizes and buffered results. */
import type { Overflow } from '../../platform/clickhouse/overflow.js'
import { brokenParts } from '../../platform/clickhouse/parts.js'
import { sql } from '../../platform/clickhouse/sql.js'
import type { Observed, Store } from '../../platform/clickhouse/store.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { diskBytes } from '../retention/space.js'
import type { StoreRoom } from './store-room.js'

/** Counts and times statements; pass it to a `Store` as `observed`. */
export function storeStatements(metrics: Metrics): (statement: Observed) => void {
  const seconds = metrics.histogram(
    'store_seconds',
    'Duration of statements; for streams, until the first bytes.',
    undefined,
    ['kind'],
  )
  const failures = metrics.counter('store_failures_total', 'Failed statements by error code.', [
    'kind',
    'code',
  ])
  const callerless = metrics.counter(
    'store_statements_without_caller_total',
    'Statements without a caller, which share one place among callers: a bug.',
    ['kind'],
  )
  const byKind = new Map<Observed['kind'], { observe(value: number): void }>()
  return ({ kind, seconds: took, failed, caller }) => {
    let histogram = byKind.get(kind)
    if (!histogram) {
      histogram = seconds.labels({ kind })
      byKind.set(kind, histogram)
    }
    histogram.observe(took)
    if (caller === undefined) callerless.inc({ kind })
    if (failed !== undefined) failures.inc({ kind, code: failed })
  }
}

/** Gauges read from the store; on a cluster, from the fullest node. */
export function watchStore(
  metrics: Metrics,
  store: Store,
  room: StoreRoom,
  overflow: Overflow | undefined,
): void {
  metrics.family(
    {
      store_table_bytes: {
        help: 'Bytes of tables on the fullest node.',
        labels: ['table'],
      },
      store_disk_free_bytes: { help: 'Free bytes of the fullest disk.' },
      store_full: { help: '1 while writes are refused because the disk is full.' },
      store_disk_bytes: { help: 'Size of the fullest disk.' },
      store_parts: { help: 'Unmerged parts of calls.' },
      store_broken_parts: {
        help: 'Parts that the store could not read and set aside: their rows are missing.',
      },
      store_mutations: { help: 'Unfinished mutations.' },
    },
    async (set) => {
      const [space, parts, broken, mutations] = await Promise.all([
        diskBytes(store),
        store.row<{ n: number }>(sql`SELECT count() AS n FROM system.parts
          WHERE active AND database = currentDatabase() AND table IN ('calls', 'calls_local')`),
        brokenParts(store),
        store.row<{ n: number }>(sql`SELECT count() AS n FROM system.mutations
          WHERE NOT is_done AND database = currentDatabase()`),
      ])
      set('store_table_bytes', space.calls, { table: 'calls' })
      set('store_table_bytes', space.total - space.calls, { table: 'others' })
      set('store_disk_free_bytes', space.free)
      set('store_full', Number(room.isFull(space)))
      set('store_disk_bytes', space.size)
      set('store_parts', parts?.n ?? 0)
      set('store_broken_parts', broken.length)
      set('store_mutations', mutations?.n ?? 0)
    },
  )
  if (!overflow) return
  metrics.gauge(
    'read_overflow_bytes',
    'Bytes of results on disk that slow clients have not read.',
    () => overflow.bytes,
  )
  metrics.gauge('read_stuck', 'Slow clients that hold up a statement of the store.', () => overflow.stuck)
}
