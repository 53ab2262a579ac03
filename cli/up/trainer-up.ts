/** The trainer worker beside `heddle up`. */
import type { StoreOptions } from '../../platform/clickhouse/store.js'
import type { Log } from '../../platform/telemetry/log.js'
import { startRole, storeEnv } from '../serve/role-child.js'
import type { Shutdown } from '../serve/shutdown.js'
import { type NodesUp, nodesEnv } from './chat-up.js'

/** It gives back what it has at once. */
const GRACE_MS = 10_000

/** Starts it over the store, the queues and the nodes of this process. @param artifacts a whole path, or s3://… */
export function startTrainerWorker(
  store: StoreOptions,
  nodes: NodesUp,
  artifacts: string,
  log: Log,
  shutdown: Shutdown,
): void {
  const env = { ...storeEnv(store), ...nodesEnv(nodes), HEDDLE_ARTIFACTS: artifacts }
  startRole({ command: 'trainer-worker', env, graceMs: GRACE_MS }, log, shutdown)
}
