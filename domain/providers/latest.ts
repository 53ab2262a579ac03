/** The newest live value of an object, read from the store: for every service that looks for providers. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'

/**
 * JSON text of the latest version of an object, or undefined if there is none of that class or it is deleted.
 * @param project `entity/project`
 * @param leafClass the class that the object must have
 */
export type LatestObject = (
  project: string,
  objectId: string,
  leafClass: string,
) => Promise<string | undefined>

/** Reads through `store`: no values but those of the class, so a large object of another one costs nothing. */
export function latestObject(store: Store): LatestObject {
  return async (project, objectId, leafClass) => {
    // A version is as many rows as it was written and deleted; rows of deletions have no class and no value.
    const row = await store.row<{ val: string }>(sql`
      SELECT val FROM (
        SELECT digest, max(val) AS val, max(written_ver) AS written FROM objects
        WHERE project_id = ${bind.string(projectIdOf(project))} AND object_id = ${bind.string(objectId)}
          AND leaf_class IN ${bind.strings([leafClass, ''])}
        GROUP BY digest HAVING written > max(deleted_ver) AND max(leaf_class) != ''
      )
      ORDER BY written DESC, digest DESC LIMIT 1`)
    return row?.val
  }
}
