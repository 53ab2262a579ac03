/**
 * Removes expired checkpoints, files of deleted models and checkpoints, and files that no row references. One worker
 * cleans at a time; a failure is left for the next round.
 */
import type { Redis } from 'ioredis'
import { storedModel } from '../domain/training/models.js'
import type { Log } from '../platform/telemetry/log.js'
import type { CheckpointRetention } from './checkpoint-retention.js'
import { type FileParts, removeLeft, retain } from './files.js'
import { removeOrphanFiles } from './orphan-files.js'

/** The interval between scans of all files. */
const ORPHANS_MS = 6 * 3_600_000
/** Holds the worker that scanned last, and expires when the next scan is due. */
const ORPHANS_KEY = 'heddle:training:orphan-files'

export class GarbageCollector {
  private cleaning = false

  constructor(
    private readonly parts: FileParts & { keep: CheckpointRetention; log: Log },
    private readonly redis: Redis,
    private readonly worker: string,
  ) {}

  /** Deletes a model's expired checkpoints. Never rejects. */
  async retain(modelId: string): Promise<void> {
    const { store, keep, log } = this.parts
    if (keep.last === 0) return
    try {
      const model = await storedModel(store, modelId)
      if (!model) return
      const steps = await retain(this.parts, model, keep)
      if (steps.length > 0)
        log.info({ model: modelId, steps }, 'deleted checkpoints beyond HEDDLE_KEEP_CHECKPOINTS')
    } catch (error) {
      log.warn({ err: error, model: modelId }, 'could not delete expired checkpoints; will retry')
    }
  }

  /** Removes files of deleted rows, and at intervals files that no row references. Never rejects. */
  async clean(): Promise<void> {
    const { leases, log } = this.parts
    if (this.cleaning) return
    this.cleaning = true
    try {
      await leases.hold('training-files', () => removeLeft(this.parts))
      if (!(await this.redis.set(ORPHANS_KEY, this.worker, 'PX', ORPHANS_MS, 'NX'))) return
      const removed = await removeOrphanFiles(this.parts)
      if (removed.length > 0) log.info({ removed: removed.length }, 'removed files that no row references')
    } catch (error) {
      log.debug({ err: error }, 'could not remove leftover files')
    } finally {
      this.cleaning = false
    }
  }
}
