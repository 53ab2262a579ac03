/** Gives a stored call another display name, in place: a patch of one column. Knows nothing of requests. */
import { bind, sql } from '../../common/clickhouse/sql.js'
import type { Store } from '../../common/clickhouse/store.js'

/** Names the call `id`, running or whole; '' takes the name away. An unknown call is left unknown. */
export async function renameCall(store: Store, projectId: string, id: string, name: string): Promise<void> {
  const where = sql`project_id = ${bind.string(projectId)} AND id = ${bind.string(id)}`
  // The open half first: a call that is whole by now is found by the second statement.
  await store.run(
    sql`UPDATE ${store.mutable('calls_open')} SET display_name = ${bind.string(name)} WHERE kind = 'start' AND ${where}`,
  )
  await store.run(
    sql`UPDATE ${store.mutable('calls')} SET display_name = ${bind.string(name)} WHERE ${where}`,
  )
}
