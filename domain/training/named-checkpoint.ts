/** Finds a model and its checkpoint by the name that callers use. */
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { checkpointList, checkpointsAt, type StoredCheckpoint } from './checkpoints.js'
import { parseModelName } from './model-name.js'
import { liveModel, modelNamed, type StoredModel } from './models.js'

export interface NamedCheckpoint {
  model: StoredModel
  /** undefined: the base model, as step 0 is, and the latest step of a model that was never trained */
  checkpoint: StoredCheckpoint | undefined
}

/** @param text see `parseModelName` @returns undefined if there is none, also for the name of a base model */
export async function namedCheckpoint(store: Store, text: string): Promise<NamedCheckpoint | undefined> {
  const name = parseModelName(text)
  if (!name || name.kind === 'base') return undefined
  const model =
    name.kind === 'id'
      ? await liveModel(store, name.id)
      : await modelNamed(store, projectIdOf(`${name.entity}/${name.project}`), name.name)
  if (!model) return undefined
  if (name.step === 0) return { model, checkpoint: undefined }
  const [checkpoint] =
    name.step === undefined
      ? await checkpointList(store, model, { order: 'desc', limit: 1 })
      : await checkpointsAt(store, model, [name.step])
  return checkpoint || name.step === undefined ? { model, checkpoint } : undefined
}
