/** The trainer worker beside `heddle up`: a child process that is kept running. */
import { fileURLToPath } from 'node:url'
import type { StoreOptions } from '../common/clickhouse/store.js'
import type { Log } from '../common/telemetry/log.js'
import type { NodesUp } from './chat-up.js'
import { Child } from './child.js'
import type { Shutdown } from './shutdown.js'

/** It gives back what it has at once. */
const GRACE_MS = 10_000

/** Starts it over the store, the queues and the nodes of this process. @param artifacts a whole path, or s3://… */
export function startTrainerWorker(
  { url, username = 'default', password = '', database = 'default' }: StoreOptions,
  { redisUrl, nodes, token }: NodesUp,
  artifacts: string,
  log: Log,
  shutdown: Shutdown,
): void {
  const worker = new Child({
    name: 'trainer worker',
    command: process.execPath,
    args: [fileURLToPath(new URL('./main.js', import.meta.url)), 'trainer-worker'],
    env: {
      ...process.env,
      CLICKHOUSE_URL: url,
      CLICKHOUSE_USER: username,
      CLICKHOUSE_PASSWORD: password,
      CLICKHOUSE_DATABASE: database,
      REDIS_URL: redisUrl,
      HEDDLE_NODES: nodes,
      HEDDLE_ARTIFACTS: artifacts,
      HEDDLE_METRICS_PORT: '0',
      ...(token !== undefined && { HEDDLE_NODE_TOKEN: token }),
    },
    graceMs: GRACE_MS,
    log,
    loud: true,
  })
  worker.start()
  shutdown.add('trainer worker', () => worker.stop())
}
