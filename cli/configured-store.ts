/** The store that the environment names, for commands. Its code is loaded when a command asks for it. */
import type { Store } from '../platform/clickhouse/store.js'
import { processes } from '../platform/config/settings.js'
import type { CommandEvent, Note } from './audited.js'
import { configured } from './subcommand.js'

/** Runs `work` with the store, whose tables are up to date. */
export async function withConfiguredStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const { withStore } = await import('./data/reach-store.js')
  return withStore(configured(processes.tool), work)
}

/** The same, for what is written to the audit log. */
export async function withAuditedStore<T>(
  event: CommandEvent,
  work: (store: Store, note: Note) => Promise<T>,
): Promise<T> {
  const { auditedHere } = await import('./audited.js')
  return withConfiguredStore((store) => auditedHere(store, event, (note) => work(store, note)))
}
