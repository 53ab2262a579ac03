import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { rulesOf, type ScoreRules, SPEC_CLASS } from './score-config.js'

export interface ScoreConfig extends ScoreRules {
  id: string
  /** µs since the epoch */
  created: number
  updated: number
}

/** The configs with these ids, by their ids. @param project `entity/project` */
export async function configsById(
  store: Store,
  project: string,
  ids: readonly string[],
): Promise<Map<string, ScoreConfig>> {
  if (ids.length === 0) return new Map()
  const found = await configs(store, project, sql`object_id IN ${bind.strings([...new Set(ids)])}`)
  return new Map(found.map((config) => [config.id, config]))
}

/** The project's configs, the newest first. */
export async function allConfigs(store: Store, project: string): Promise<ScoreConfig[]> {
  const found = await configs(store, project, sql`1`)
  return found.sort((one, other) => other.created - one.created || (one.id < other.id ? -1 : 1))
}

interface Row {
  id: string
  text: string
  created: number
  updated: number
}

async function configs(store: Store, project: string, where: Sql): Promise<ScoreConfig[]> {
  const rows = await store.rows<Row>(sql`
    SELECT object_id AS id, argMax(value, (written, digest)) AS text,
      toUnixTimestamp64Micro(min(first)) AS created, toInt64(max(written)) AS updated
    FROM (
      SELECT object_id, digest, max(val) AS value, min(created.at) AS first, max(written_ver) AS written,
        max(deleted_ver) AS deleted, max(base_class) AS base
      FROM objects WHERE project_id = ${bind.string(projectIdOf(project))} AND ${where} GROUP BY object_id, digest
    ) WHERE written > deleted AND base = ${bind.string(SPEC_CLASS)} GROUP BY object_id`)
  return rows.flatMap(({ id, text, created, updated }) => {
    const rules = rulesOf(id, JSON.parse(text))
    return rules === undefined ? [] : [{ ...rules, id, created: Number(created), updated: Number(updated) }]
  })
}
