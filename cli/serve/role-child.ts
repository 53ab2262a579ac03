/** A role of `heddle up`: a command of this program as a supervised child process. */
import { fileURLToPath } from 'node:url'
import type { StoreOptions } from '../../platform/clickhouse/store.js'
import { processes } from '../../platform/config/settings.js'
import type { Log } from '../../platform/telemetry/log.js'
import { Child } from '../up/child.js'
import { childEnv } from '../up/child-env.js'
import type { Shutdown } from './shutdown.js'

/** The settings that each role reads; it gets no others. */
const SETTINGS = {
  'inference-worker': processes.inferenceWorker,
  'trainer-worker': processes.trainerWorker,
  'evaluation-worker': processes.evaluationWorker,
}

export interface Role {
  /** the command; its name in logs has spaces for dashes */
  command: keyof typeof SETTINGS
  /** added to the variables that it reads */
  env: NodeJS.ProcessEnv
  /** ms to hand over its work */
  graceMs: number
}

/** Starts the role; `shutdown` stops it. Its probes use any free port. */
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

/** The variables that a role reads. Roles with artifacts also need those of the AWS SDK's credential chain. */
export function readsOf(command: Role['command']): string[] {
  const settings = SETTINGS[command]
  const reads = Object.values(settings).map(({ variable }) => variable)
  return 's3KeyId' in settings ? [...reads, 'AWS_*'] : reads
}

/** The environment that tells a role the store. */
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
