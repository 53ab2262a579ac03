/** Background services: metrics of queues and jobs, broken parts, retention. */

import { watchJobs } from '../../domain/metrics/jobs.js'
import { watchQueues } from '../../domain/metrics/queues.js'
import { retentionSchedule } from '../../domain/retention/schedule.js'
import { brokenParts, namesOf } from '../../platform/clickhouse/parts.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { service } from '../../platform/fairness/caller.js'
import { failFastConnection } from '../../platform/redis/connection.js'
import type { FileExport } from '../../query/export/file-export.js'
import { exportSchedule } from '../../query/export/schedule.js'
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

/** Deletes expired calls, every hour. */
export function retentionService({ metrics, store, log }: Parts): Service {
  const schedule = retentionSchedule(store, log, metrics)
  return { routes: [], start: () => schedule.start(), stop: () => schedule.stop() }
}

/** Exports files, at the start and every hour. @param exportOf makes the export over the service's store */
export function exportService(
  { metrics, store, log }: Parts,
  exportOf: (store: Store) => FileExport,
): Service {
  const schedule = exportSchedule(exportOf(store.as(service('export')).inBackground()), log, metrics)
  return { routes: [], start: () => schedule.start(0), stop: () => schedule.stop() }
}
