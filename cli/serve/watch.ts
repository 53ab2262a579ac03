/** Background services: metrics of queues and jobs, broken parts, retention, exported files. */
import { watchJobs } from '../../domain/metrics/jobs.js'
import { watchQueues } from '../../domain/metrics/queues.js'
import { applyRetention } from '../../domain/retention/apply.js'
import { brokenParts, namesOf } from '../../platform/clickhouse/parts.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { service } from '../../platform/fairness/caller.js'
import { failFastConnection } from '../../platform/redis/connection.js'
import { RepeatedWork } from '../../platform/time/repeated-work.js'
import type { FileExport } from '../../query/export/file-export.js'
import type { Parts, Service } from './service.js'

/** Metrics of queues, nodes and jobs. @param redisUrl of the queues; undefined: only jobs */
export function watchService({ metrics, store }: Parts, redisUrl: string | undefined): Service {
  watchJobs(metrics, store)
  if (redisUrl === undefined) return { routes: [], stop: () => undefined }
  const redis = failFastConnection(redisUrl)
  watchQueues(metrics, redis)
  return { routes: [], stop: () => redis.disconnect() }
}

/** Logs at the start which parts the store set aside, since their rows are missing. */
export function partsService({ store, log }: Parts): Service {
  const look = async () => {
    const parts = await brokenParts(store)
    if (parts.length > 0)
      log.error(
        { parts: namesOf(parts), runbook: 'docs/runbooks/HeddlePartsBroken.md' },
        'the store set aside unreadable parts of its tables: their rows are missing',
      )
  }
  return {
    routes: [],
    start: () =>
      look().catch((error: unknown) =>
        log.warn({ err: error }, 'could not list the parts that the store set aside'),
      ),
    stop: () => undefined,
  }
}

/**
 * The embedded engine's log.
 * @param refused how many bodies of inserts lie there because the engine refused them after they were acknowledged
 * @param bytes of its files
 */
export function logService({ metrics, log }: Parts, refused: () => number, bytes: () => number): Service {
  metrics.gauge('store_log_bytes', 'Bytes on disk of the log before the tables, which are not theirs.', bytes)
  metrics.gauge('store_refused_bodies', 'Bodies of acknowledged inserts that the engine refused.', refused)
  const start = () => {
    if (refused() > 0)
      log.error(
        { bodies: refused() },
        'the store refused rows that were acknowledged: docs/operate/running.md',
      )
  }
  return { routes: [], start, stop: () => undefined }
}

const HOUR_MS = 3_600_000

/** Deletes expired calls, every hour. When it is stopped, a delete in progress continues in the store. */
export function retentionService({ metrics, store, log }: Parts): Service {
  const deleted = metrics.counter('retention_deleted_calls_total', 'Calls deleted by retention.', ['reason'])
  const failures = metrics.counter('retention_failures_total', 'Failed deletes by retention.')
  const schedule = new RepeatedWork(async (signal) => {
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
  return { routes: [], start: () => schedule.start(), stop: () => schedule.stop() }
}

/** Exports files, at the start and every hour. @param exportOf makes the export over the service's store */
export function exportService(
  { metrics, store, log }: Parts,
  exportOf: (store: Store) => FileExport,
): Service {
  const files = exportOf(store.as(service('export')).inBackground())
  const rows = metrics.counter('export_rows_total', 'Rows written to exported files.')
  const failures = metrics.counter('export_failures_total', 'Projects or rounds whose export failed.')
  const failed = (error: unknown, project?: string) => {
    failures.inc()
    log.warn({ err: error, project }, 'could not export files; retrying in an hour')
  }
  const schedule = new RepeatedWork(async (signal) => {
    try {
      const waiting = () => log.info('another export is writing there; waiting for it')
      const done = await files.run({ signal, waiting })
      rows.inc(done.rows)
      for (const { project, error } of done.failed) failed(error, project)
      log.info(
        { projects: done.projects, files: done.files, rows: done.rows, removed: done.removed },
        'exported files',
      )
    } catch (error) {
      if (!signal.aborted) failed(error)
    }
  }, HOUR_MS)
  return { routes: [], start: () => schedule.start(0), stop: () => schedule.stop() }
}
