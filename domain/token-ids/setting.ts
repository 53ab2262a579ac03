import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nextVersion } from '../../platform/time/versions.js'

/** @param project entity/project */
export async function keepsTokens(store: Store, project: string): Promise<boolean> {
  const statement = sql`SELECT keep FROM project_token_ids FINAL WHERE project = ${bind.string(project)}`
  return (await store.value<number>(statement)) === 1
}

/** The projects, as entity/project. */
export async function keepingProjects(store: Store): Promise<Set<string>> {
  const rows = await store.rows<{ project: string }>(
    sql`SELECT project FROM project_token_ids FINAL WHERE keep = 1`,
  )
  return new Set(rows.map(({ project }) => project))
}

/** Resolves when it is stored; other processes know within seconds. */
export function setKeepsTokens(store: Store, project: string, keep: boolean): Promise<void> {
  return store.insertRows('project_token_ids', [{ project, keep: keep ? 1 : 0, ver: nextVersion() }])
}
