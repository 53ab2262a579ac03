/** `heddle migrate`: brings the tables up to date, or prints how it would. */
import { rendered, shippedMigrations } from '../common/clickhouse/migrate.js'
import type { Config } from '../common/config/read.js'
import type { processes } from '../common/config/settings.js'
import { prepareDatabase } from './database.js'
import { withStoreOptions } from './reach-store.js'

/** Applies what is pending and says what that was. */
export async function runMigrations(config: Config<typeof processes.tool>): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const applied = await withStoreOptions(config, (options) =>
    prepareDatabase(options, {
      cluster: config.clickhouseCluster,
      progress: (file, position, total) => say(`${position} of ${total}  ${file}`),
      waiting: () => say('another migrator is at work; waiting for it'),
    }),
  )
  say(
    applied.length === 0
      ? 'nothing to do: the tables are up to date'
      : `applied ${applied.length} migrations`,
  )
}

/** Every migration's SQL as it would be run here. */
export function printMigrations(cluster: string | undefined): string {
  return shippedMigrations()
    .map((migration) => `-- ${migration.file}\n\n${rendered(migration, cluster).join(';\n\n')};\n`)
    .join('\n')
}
