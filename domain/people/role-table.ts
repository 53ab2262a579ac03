import { sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { type CustomRole, parsePermission, permissionText } from './roles.js'

interface Row extends Omit<CustomRole, 'permissions'> {
  permissions: string[]
}

/** All of them, by entity and name: a few hundred at most. */
export async function allRoles(store: Store, options?: StatementOptions): Promise<CustomRole[]> {
  const rows = await store.rows<Row>(
    sql`SELECT entity, name, title, permissions, version FROM roles FINAL
      WHERE deleted = 0 ORDER BY entity, name`,
    options,
  )
  return rows.map(({ permissions, ...role }) => ({
    ...role,
    permissions: permissions.flatMap((text) => parsePermission(text) ?? []),
  }))
}

/** Stores a role. @param ver of the lease under which the one before was read */
export function putRole(
  store: Store,
  { entity, name, title, permissions, version }: CustomRole,
  ver: bigint,
  isDeleted = false,
): Promise<void> {
  const row = { entity, name, title, permissions: permissions.map(permissionText), version }
  return store.insertRows('roles', [{ ...row, deleted: isDeleted ? 1 : 0, ver: String(ver) }])
}
