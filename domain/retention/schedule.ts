/** Deletes expired calls every hour while the process runs. */
import type { Store } from '../../platform/clickhouse/store.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { RepeatedWork } from '../../platform/time/repeated-work.js'
import { applyRetention } from './apply.js'

const HOUR_MS = 3_600_000

/** When it is stopped, a delete in progress continues in the store. */
export function retentionSchedule(store: Store, log: Log, metrics: Metrics): RepeatedWork {
  const deleted = metrics.counter('retention_deleted_calls_total', 'Calls deleted by retention.', ['reason'])
  const failures = metrics.counter('retention_failures_total', 'Failed deletes by retention.')
  return new RepeatedWork(async (signal) => {
    try {
      for (const { reason, rows } of await applyRetention(store, { signal })) {
        deleted.inc({ reason }, rows.calls)
        log.info({ reason, ...rows }, 'deleted expired calls')
      }
    } catch (error) {
      if (signal.aborted) return
      failures.inc()
      log.warn({ err: error }, 'could not delete expired calls; retrying in an hour')
    }
  }, HOUR_MS)
}
