/**
 * Deletes expired checkpoints, and the files of deleted models and checkpoints. Rows go first; files follow when no
 * reader can still have them open.
 */

import { keyOf, modelPrefix } from '../domain/training/artifact-keys.js'
import { checkpointList, leftFiles, putCheckpoints } from '../domain/training/checkpoints.js'
import { checkpointsRead, openJobs } from '../domain/training/jobs.js'
import { modelLease, modelsWithLeftFiles, putModel, type StoredModel } from '../domain/training/models.js'
import { type Artifacts, removeBelow } from '../platform/artifacts/artifacts.js'
import type { Store } from '../platform/clickhouse/store.js'
import type { Leases } from '../platform/leases/lease.js'
import { nowMicros } from '../platform/time/iso.js'
import { nextVersion } from '../platform/time/versions.js'
import { type CheckpointRetention, expiredCheckpoints } from './checkpoint-retention.js'

/** How long nodes and downloads may still read files whose row was deleted. */
const GRACE_MS = 600_000
const PART = 100

export interface FileParts {
  store: Store
  leases: Leases
  artifacts: Artifacts
  /** of the artifact store */
  root: string
}

/** Deletes the rows of a model's expired checkpoints. @returns their steps */
export function retain(
  { store, leases }: FileParts,
  model: StoredModel,
  keep: CheckpointRetention,
): Promise<number[]> {
  // A user's delete takes the same lease.
  return leases.hold(modelLease(model.id), async (fence) => {
    const all = await checkpointList(store, model, { order: 'asc', limit: 1_000_000 })
    const read = checkpointsRead(await openJobs(store, model.id))
    const gone = expiredCheckpoints(all, keep).filter(({ address }) => !read.has(address))
    await putCheckpoints(
      store,
      gone.map((row) => ({ ...row, deleted_at: nowMicros() })),
      fence,
    )
    return gone.map(({ step }) => step)
  })
}

/** Removes files whose rows were deleted more than `graceMs` ago. */
export async function removeLeft(
  { store, artifacts, root }: FileParts,
  graceMs: number = GRACE_MS,
): Promise<void> {
  const before = nowMicros() - graceMs * 1000
  // An interrupted job reads its checkpoints again.
  const read = checkpointsRead(await openJobs(store))
  for (const row of await leftFiles(store, before, PART)) {
    if (read.has(row.address)) continue
    const key = keyOf(root, row.address)
    // Files in another artifact store are not ours to remove.
    if (key !== undefined) await removeBelow(artifacts, key)
    await putCheckpoints(store, [{ ...row, files_deleted_at: nowMicros() }], nextVersion())
  }
  for (const model of await modelsWithLeftFiles(store, before, PART)) {
    const prefix = modelPrefix(model.id)
    // Another model's job may compare with its checkpoint.
    if ([...read].some((address) => keyOf(root, address)?.startsWith(`${prefix}/`))) continue
    await removeBelow(artifacts, prefix)
    await putModel(store, { ...model, files_deleted_at: nowMicros() }, nextVersion())
  }
}
