/** SQL over tags and aliases: the newest row of a name, unless its version was deleted since. Pure. */
import { folded } from '../../domain/objects/versions-sql.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** Live versions, as the right side of a join. */
const living = (where: Sql) =>
  sql`(SELECT object_id, digest, deleted FROM (${folded(where)}) WHERE live) AS o USING (object_id, digest)`

/** Rows (object_id, digest, name) of the current tags; `where` may use only project_id and object_id. */
export function liveTags(where: Sql): Sql {
  return sql`SELECT object_id, digest, tag AS name FROM (
    SELECT object_id, digest, tag, argMax(live, ver) AS set, max(ver) AS since FROM object_tags
    WHERE ${where} GROUP BY object_id, digest, tag HAVING set = 1
  ) AS t INNER JOIN ${living(where)} WHERE since > deleted`
}

/** Rows (object_id, digest, name) of the current aliases; `where` may use only project_id and object_id. */
export function liveAliases(where: Sql): Sql {
  return sql`SELECT object_id, digest, name FROM (
    SELECT object_id, alias AS name, argMax(digest, ver) AS digest, max(ver) AS since FROM object_aliases
    WHERE ${where} GROUP BY object_id, alias HAVING digest != ''
  ) AS t INNER JOIN ${living(where)} WHERE since > deleted`
}

export const ofProject = (project: string) => sql`project_id = ${bind.string(project)}`

/** The objects of one project by name. */
export const ofObjects = (project: string, objects: readonly string[]) =>
  sql`${ofProject(project)} AND object_id IN ${bind.strings(objects)}`
