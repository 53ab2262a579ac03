/** What a process looks at besides its own work: queues and jobs for `/metrics`, and what is kept no longer. */

import { watchJobs } from '../../domain/metrics/jobs.js'
import { watchQueues } from '../../domain/metrics/queues.js'
import { RetentionKeeper } from '../../domain/retention/keeper.js'
import { brokenParts, namesOf } from '../../platform/clickhouse/parts.js'
import { failFastConnection } from '../../platform/redis/connection.js'
import type { Parts, Service } from './service.js'

/** Numbers of queues, nodes and jobs. @param redisUrl of the queues; undefined: of jobs alone */
export function watchService({ metrics, store }: Parts, redisUrl: string | undefined): Service {
  watchJobs(metrics, store)
  if (redisUrl === undefined) return { routes: [], stop: () => undefined }
  const redis = failFastConnection(redisUrl)
  watchQueues(metrics, redis)
  return { routes: [], stop: () => redis.disconnect() }
}

/** Says at the start what the store has set aside, as its rows are missing. */
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

/** Deletes what is kept no longer, every hour. */
export function retentionService({ metrics, store, log }: Parts): Service {
  const keeper = new RetentionKeeper(store, log, metrics)
  return { routes: [], start: () => keeper.start(), stop: () => keeper.stop() }
}
