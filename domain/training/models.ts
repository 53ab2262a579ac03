import { allOf, bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { COLUMNS_FIRST, type Store } from '../../platform/clickhouse/store.js'
import { LIVE, micros } from './columns.js'

/** Times are µs since 1970; 0: it did not happen. */
export interface StoredModel {
  project_id: string
  id: string
  entity: string
  project: string
  name: string
  base_model: string
  run_id: string
  created_at: number
  created_by: string
  deleted_at: number
  files_deleted_at: number
}

/** The lease of a model: its jobs and checkpoints are added and removed one decision at a time. */
export const modelLease = (id: string) => `training-model ${id}`

const COLUMNS = sql`project_id, id, entity, project, name, base_model, run_id, ${micros(sql`created_at`)}, created_by,
  ${micros(sql`deleted_at`)}, ${micros(sql`files_deleted_at`)}`

const those = (store: Store, condition: Sql): Promise<StoredModel[]> =>
  store.rows<StoredModel>(sql`SELECT ${COLUMNS} FROM models FINAL WHERE ${condition}`, COLUMNS_FIRST)
const one = async (store: Store, condition: Sql): Promise<StoredModel | undefined> =>
  (await those(store, sql`${condition} LIMIT 1`))[0]

/** A model, even if deleted. */
export function storedModel(store: Store, id: string): Promise<StoredModel | undefined> {
  return one(store, sql`id = ${bind.string(id)}`)
}

/** A model, unless it was deleted. */
export async function liveModel(store: Store, id: string): Promise<StoredModel | undefined> {
  const model = await storedModel(store, id)
  return model?.deleted_at === 0 ? model : undefined
}

/** The live model with this name. @param projectId internal id */
export function modelNamed(store: Store, projectId: string, name: string): Promise<StoredModel | undefined> {
  return one(store, sql`project_id = ${bind.string(projectId)} AND name = ${bind.string(name)} AND ${LIVE}`)
}

/** Live models by id, which is oldest first. */
export function modelList(
  store: Store,
  { projects, after, limit }: { projects: readonly string[]; after?: string; limit: number },
): Promise<StoredModel[]> {
  const where = allOf([
    sql`project_id IN ${bind.strings(projects)}`,
    after === undefined ? sql`` : sql`id > ${bind.string(after)}`,
    LIVE,
  ])
  return those(store, sql`${where} ORDER BY id LIMIT ${bind.uint(limit)}`)
}

/** Every project that has live models. */
export function modelProjects(
  store: Store,
): Promise<{ project_id: string; entity: string; project: string }[]> {
  return store.rows(sql`SELECT DISTINCT project_id, entity, project FROM models FINAL WHERE ${LIVE}`)
}

/** Models by id, including deleted ones. */
export function modelsById(store: Store, ids: readonly string[]): Promise<StoredModel[]> {
  return those(store, sql`id IN ${bind.strings(ids)}`)
}

/** Models deleted before `before` (µs since 1970) whose files still exist. */
export function modelsWithLeftFiles(store: Store, before: number, limit: number): Promise<StoredModel[]> {
  return those(
    store,
    sql`NOT ${LIVE} AND deleted_at < fromUnixTimestamp64Micro(${bind.int(before)})
          AND toUnixTimestamp64Micro(files_deleted_at) = 0 LIMIT ${bind.uint(limit)}`,
  )
}

/** Stores a new or changed row. @param ver µs since 1970, larger than before */
export async function putModel(store: Store, row: StoredModel, ver: number | bigint): Promise<void> {
  await store.insertRows('models', [{ ...row, ver: Number(ver) }])
}
