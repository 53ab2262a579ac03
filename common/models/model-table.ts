/** Reads models that were trained, and their checkpoints. Knows nothing of who may see them, or of nodes. */
import { bind, sql } from '../clickhouse/sql.js'
import type { Store } from '../clickhouse/store.js'
import { projectIdOf } from '../ids/project.js'

export interface ModelRow {
  id: string
  entity: string
  project: string
  name: string
  base_model: string
}

export interface CheckpointRow {
  id: string
  step: number
  address: string
  manifest_sha256: string
}

const COLUMNS = sql`id, entity, project, name, base_model`
const LIVE = sql`toUnixTimestamp64Micro(deleted_at) = 0`

/** The model called `name` in `entity/project`. */
export function modelByName(store: Store, project: string, name: string): Promise<ModelRow | undefined> {
  return store.row<ModelRow>(
    sql`SELECT ${COLUMNS} FROM models FINAL
        WHERE project_id = ${bind.string(projectIdOf(project))} AND name = ${bind.string(name)} AND ${LIVE} LIMIT 1`,
  )
}

export function modelById(store: Store, id: string): Promise<ModelRow | undefined> {
  return store.row<ModelRow>(
    sql`SELECT ${COLUMNS} FROM models FINAL WHERE id = ${bind.string(id)} AND ${LIVE} LIMIT 1`,
  )
}

/** The checkpoint after `step`, or the newest. */
export function checkpointOf(
  store: Store,
  model: ModelRow,
  step: number | undefined,
): Promise<CheckpointRow | undefined> {
  const wanted = step === undefined ? sql`1` : sql`step = ${bind.uint(step)}`
  return store.row<CheckpointRow>(
    sql`SELECT id, step, address, manifest_sha256 FROM checkpoints FINAL
        WHERE project_id = ${bind.string(projectIdOf(`${model.entity}/${model.project}`))}
          AND model_id = ${bind.string(model.id)} AND ${wanted} AND ${LIVE}
        ORDER BY step DESC LIMIT 1`,
  )
}
