/** Disk space used by the tables, and free space. */
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'

export interface DiskBytes {
  /** all tables, on the node that holds most */
  total: number
  /** the calls among them */
  calls: number
  /** on that node's fullest disk */
  free: number
  size: number
}

export async function diskBytes(store: Store): Promise<DiskBytes> {
  const used = await store.row<{ total: number; calls: number }>(sql`
    SELECT sum(bytes_on_disk) AS total, sumIf(bytes_on_disk, table IN ('calls', 'calls_local')) AS calls
    FROM ${store.everywhere('system.parts')} WHERE active AND database = currentDatabase()
    GROUP BY hostName() ORDER BY total DESC LIMIT 1`)
  const disk = await store.row<{ free: number; size: number }>(sql`
    SELECT toUInt64(min(unreserved_space)) AS free, toUInt64(argMin(total_space, unreserved_space)) AS size
    FROM ${store.everywhere('system.disks')}`)
  return { total: used?.total ?? 0, calls: used?.calls ?? 0, free: disk?.free ?? 0, size: disk?.size ?? 0 }
}
