/** Checks at a role's start that the tables are those that this program knows, and starts versions above theirs. */

import { startAboveStored } from '../../domain/versions/stored.js'
import { checkNotNewer, planMigrations } from '../../platform/clickhouse/migrate.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { CommandError } from '../command.js'
import { version } from '../version.js'

/** @throws Error if the tables are older or newer than this program; it says what to run */
export async function checkTables(store: Store): Promise<void> {
  const plan = await planMigrations(store)
  checkNotNewer(plan, version())
  if (plan.pending.length === 0) return startAboveStored(store)
  const files = plan.pending.map(({ file }) => file).join(', ')
  throw new CommandError(`the tables lack ${files}; run \`heddle migrate\` first`)
}
