/** The evaluation worker beside `heddle up`: a child process that is kept running. */
import { fileURLToPath } from 'node:url'
import type { StoreOptions } from '../common/clickhouse/store.js'
import type { Log } from '../common/telemetry/log.js'
import { Child } from './child.js'
import type { Shutdown } from './shutdown.js'

/** It hands on what it has at once. */
const GRACE_MS = 10_000

/** Starts it over the store and the queues of this process. */
export function startEvaluationWorker(
  { url, username = 'default', password = '', database = 'default' }: StoreOptions,
  redisUrl: string,
  log: Log,
  shutdown: Shutdown,
): void {
  const worker = new Child({
    name: 'evaluation worker',
    command: process.execPath,
    args: [fileURLToPath(new URL('./main.js', import.meta.url)), 'evaluation-worker'],
    env: {
      ...process.env,
      CLICKHOUSE_URL: url,
      CLICKHOUSE_USER: username,
      CLICKHOUSE_PASSWORD: password,
      CLICKHOUSE_DATABASE: database,
      REDIS_URL: redisUrl,
      HEDDLE_METRICS_PORT: '0',
    },
    graceMs: GRACE_MS,
    log,
    loud: true,
  })
  worker.start()
  shutdown.add('evaluation worker', () => worker.stop())
}
