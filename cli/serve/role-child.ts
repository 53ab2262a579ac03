/** A role beside `heddle up`: one of this program's own commands as a child process that is kept running. */
import { fileURLToPath } from 'node:url'
import type { StoreOptions } from '../../platform/clickhouse/store.js'
import { processes } from '../../platform/config/settings.js'
import type { Log } from '../../platform/telemetry/log.js'
import { Child } from '../up/child.js'
import { childEnv } from '../up/child-env.js'
import type { Shutdown } from './shutdown.js'

/** What each role reads: it is given the settings of no other. */
const SETTINGS = {
  'inference-worker': processes.inferenceWorker,
  'trainer-worker': processes.trainerWorker,
  'evaluation-worker': processes.evaluationWorker,
}

export interface Role {
  /** the command; its name in logs has spaces for dashes */
  command: keyof typeof SETTINGS
  /** on top of what it reads of this process's environment */
  env: NodeJS.ProcessEnv
  /** ms that it gets to hand on what it has */
  graceMs: number
}

/** Starts it; `shutdown` stops it. Its probes get a port that is free. */
export function startRole({ command, env, graceMs }: Role, log: Log, shutdown: Shutdown): void {
  const name = command.replace('-', ' ')
  const child = new Child({
    name,
    command: process.execPath,
    args: [fileURLToPath(new URL('../main.js', import.meta.url)), command],
    env: childEnv(readsOf(command), { HEDDLE_METRICS_PORT: '0', ...env }),
    graceMs,
    log,
    loud: true,
  })
  child.start()
  shutdown.add(name, () => child.stop())
}

/** The variables that a role reads. Who reads artifacts finds keys as the SDK does: profiles, web identities and more. */
export function readsOf(command: Role['command']): string[] {
  const settings = SETTINGS[command]
  const reads = Object.values(settings).map(({ variable }) => variable)
  return 's3KeyId' in settings ? [...reads, 'AWS_*'] : reads
}

/** What tells a role where the store is. */
export function storeEnv({
  url,
  username = 'default',
  password = '',
  database = 'default',
}: StoreOptions): NodeJS.ProcessEnv {
  return {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: database,
  }
}
