/** The evaluation worker of `heddle up`. */
import type { StoreOptions } from '../../platform/clickhouse/store.js'
import type { Log } from '../../platform/telemetry/log.js'
import { startRole, storeEnv } from '../serve/role-child.js'
import type { Shutdown } from '../serve/shutdown.js'

/** A stopping worker hands over its work at once. */
const GRACE_MS = 10_000

/** Starts it with the store and the queues of this process. */
export function startEvaluationWorker(
  store: StoreOptions,
  redisUrl: string,
  log: Log,
  shutdown: Shutdown,
): void {
  const env = { ...storeEnv(store), REDIS_URL: redisUrl }
  startRole({ command: 'evaluation-worker', env, graceMs: GRACE_MS }, log, shutdown)
}
