/**
 * What a trainer worker keeps tidy beside its jobs: checkpoints that need not stay, files of what was deleted, and files
 * that no row tells of. By one worker at a time; what fails is left for the next turn. Knows nothing of jobs' work.
 */
import type { Redis } from 'ioredis'
import { storedModel } from '../domain/training/models.js'
import type { Log } from '../platform/telemetry/log.js'
import type { CheckpointRetention } from './checkpoint-retention.js'
import { type FileParts, removeLeft, retain } from './files.js'
import { removeOrphanFiles } from './orphan-files.js'

/** Every file is looked at so often. */
const ORPHANS_MS = 6 * 3_600_000
/** Who looked last, until it is time again. */
const ORPHANS_KEY = 'heddle:training:orphan-files'

export class GarbageCollector {
  private cleaning = false

  constructor(
    private readonly parts: FileParts & { keep: CheckpointRetention; log: Log },
    private readonly redis: Redis,
    private readonly worker: string,
  ) {}

  /** Checkpoints of a model that need not stay go. Never rejects. */
  async retain(modelId: string): Promise<void> {
    const { store, keep, log } = this.parts
    if (keep.last === 0) return
    try {
      const model = await storedModel(store, modelId)
      if (!model) return
      const steps = await retain(this.parts, model, keep)
      if (steps.length > 0)
        log.info({ model: modelId, steps }, 'checkpoints were deleted, as HEDDLE_KEEP_CHECKPOINTS says')
    } catch (error) {
      log.warn({ err: error, model: modelId }, 'checkpoints that need not stay are left for now')
    }
  }

  /** Files of what was deleted go, and now and then those that nobody knows of. Never rejects. */
  async clean(): Promise<void> {
    const { leases, log } = this.parts
    if (this.cleaning) return
    this.cleaning = true
    try {
      await leases.hold('training-files', () => removeLeft(this.parts))
      if (!(await this.redis.set(ORPHANS_KEY, this.worker, 'PX', ORPHANS_MS, 'NX'))) return
      const removed = await removeOrphanFiles(this.parts)
      if (removed.length > 0) log.info({ removed: removed.length }, 'files that no row tells of were removed')
    } catch (error) {
      log.debug({ err: error }, 'files that are left could not be removed')
    } finally {
      this.cleaning = false
    }
  }
}
