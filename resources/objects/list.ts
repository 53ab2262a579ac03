/** SQL of `/objs/query`. Pure. */

import type { ObjectQuery } from '../../contract/objects.js'
import { columnTerms, orderBy, pageOf } from '../../domain/lists/sql.js'
import { versions } from '../../domain/objects/versions-sql.js'
import { allOf, bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { liveAliases, liveTags, ofObjects, ofProject } from './labels-sql.js'

/** The live versions that match `query`, in its order, without values. @param project internal id */
export function listVersions(project: string, query: ObjectQuery): Sql {
  const { filter, limit, offset } = query
  const objects = filter?.object_ids ?? []
  const where = objects.length > 0 ? ofObjects(project, objects) : ofProject(project)
  const conditions = allOf([sql`live`, ...conditionsOf(where, filter)])
  return sql`SELECT * EXCEPT (live) FROM (${versions(where)}) WHERE ${conditions}
    ORDER BY ${orderOf(query)}${pageOf(limit, offset)}`
}

function conditionsOf(where: Sql, filter: ObjectQuery['filter']): Sql[] {
  if (!filter) return []
  const { base_object_classes, exclude_base_object_classes, leaf_object_classes, is_op, latest_only } = filter
  const some = (list: readonly string[] | null, condition: (list: readonly string[]) => Sql) =>
    list && list.length > 0 ? [condition(list)] : []
  return [
    ...some(base_object_classes, (list) => sql`base_class IN ${bind.strings(list)}`),
    ...some(exclude_base_object_classes, (list) => sql`base_class NOT IN ${bind.strings(list)}`),
    ...some(leaf_object_classes, (list) => sql`leaf_class IN ${bind.strings(list)}`),
    ...(is_op === null ? [] : [is_op ? sql`kind = 'op'` : sql`kind != 'op'`]),
    ...(latest_only ? [sql`is_latest`] : []),
    ...some(filter.tags, (list) => sql`(object_id, digest) IN (${named(liveTags(where), list)})`),
    ...some(filter.aliases, (list) => {
      const aliased = sql`(object_id, digest) IN (${named(liveAliases(where), list)})`
      return list.includes('latest') ? sql`(is_latest OR ${aliased})` : aliased
    }),
  ]
}

function named(labels: Sql, names: readonly string[]): Sql {
  return sql`SELECT object_id, digest FROM (${labels}) WHERE name IN ${bind.strings(names)}`
}

const SORTABLE = new Map([
  ['object_id', sql`object_id`],
  ['created_at', sql`created_at`],
])

function orderOf({ sort_by }: ObjectQuery): Sql {
  const terms = columnTerms(sort_by ?? [], SORTABLE)
  const last = [sql`version_index`, sql`object_id`]
  return orderBy(terms, terms.length > 0 ? last : [sql`created_at`, ...last])
}
