/** `heddle migrate`: updates the tables, checks them, or prints the SQL. */
import { setTimeout as pause } from 'node:timers/promises'
import {
  checkNotNewer,
  planMigrations,
  rendered,
  shippedMigrations,
} from '../../platform/clickhouse/migrate.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { CommandError, failure } from '../command.js'
import { say } from '../subcommand.js'
import { version } from '../version.js'
import { prepareDatabase } from './database.js'
import { checkStoreExists, withStoreOptions } from './reach-store.js'
import { usingStore } from './store-options.js'

/** Applies pending migrations and returns a summary. */
export async function runMigrations(config: Config<typeof processes.tool>): Promise<void> {
  const applied = await withStoreOptions(config, (options) =>
    prepareDatabase(options, {
      cluster: config.clickhouseCluster,
      progress: (file, position, total) => say(`${position} of ${total}  ${file}`),
      waiting: () => say('another migration is running; waiting for it'),
    }),
  )
  say(
    applied.length === 0
      ? 'nothing to do: the tables are up to date'
      : `applied ${applied.length} migrations`,
  )
}

/**
 * Changes nothing.
 * @throws if a table lacks something, if the tables are newer than this program, or the store can't be reached
 */
export async function awaitMigrations(config: Config<typeof processes.tool>): Promise<void> {
  checkStoreExists(config)
  await withStoreOptions(config, async (options) => {
    const plan = await usingStore({ ...options, connections: 1 }, planMigrations)
    checkNotNewer(plan, version())
    const { pending } = plan
    if (pending.length > 0) throw new CommandError(`${pending.length} migrations are pending`)
  })
}

const AGAIN_MS = 1000

/**
 * Retries `work` until it succeeds or the time is over; reports each reason once.
 * @param seconds as text
 */
export async function retryFor(seconds: string, work: () => Promise<void>): Promise<void> {
  const allowed = Number(seconds)
  if (!(allowed >= 0)) throw new CommandError(`--patience must be a number of seconds, not ${seconds}`)
  const until = Date.now() + allowed * 1000
  for (let said = ''; ; await pause(AGAIN_MS)) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() >= until) throw error
      const why = failure(error).text
      if (why !== said) process.stderr.write(`${why}; trying again\n`)
      said = why
    }
  }
}

/** The SQL of every migration. */
export function printMigrations(cluster: string | undefined): string {
  return shippedMigrations()
    .map((migration) => `-- ${migration.file}\n\n${rendered(migration, cluster).join(';\n\n')};\n`)
    .join('\n')
}
