/** Creates, finds and cancels batches, and has them run. */
import type { z } from 'zod'
import { type createBatch, MOST_SECONDS } from '../../contract/batches.js'
import type { Principal } from '../../platform/http/principal.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import type { Log } from '../../platform/telemetry/log.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { nextVersion } from '../../platform/time/versions.js'
import { ownerOf } from '../owner.js'
import { type BatchRow, batchRow, changeBatch, openBatches, putBatch } from './batch-table.js'
import { BatchFiles } from './files.js'
import { batchProblems } from './problems.js'
import type { RunParts } from './run.js'
import { BatchRunner } from './runner.js'

const WINDOW_SECONDS = 86_400

export interface BatchesParts extends Omit<RunParts, 'files'> {
  log: Log
  metrics: Metrics
  /** the most unfinished batches of a key; 0: no limit */
  batchLimit: number
}

export class Batches {
  readonly files: BatchFiles
  private readonly runner: BatchRunner

  constructor(readonly parts: BatchesParts) {
    this.files = new BatchFiles(parts)
    this.runner = new BatchRunner({ ...parts, files: this.files }, parts.log, parts.metrics)
  }

  start(): void {
    this.runner.start()
  }

  stop(): Promise<void> {
    return this.runner.stop()
  }

  /**
   * @param traceProject where its lines are logged as calls; empty: nowhere
   * @throws `UNKNOWN_FILE` (404), `NOT_AN_INPUT` (400), `TOO_MANY_BATCHES` (429)
   */
  async create(
    asked: z.output<NonNullable<typeof createBatch.body>>,
    principal: Principal,
    traceProject = '',
  ): Promise<BatchRow> {
    const { store, leases, batchLimit } = this.parts
    const owner = ownerOf(principal)
    const file = await this.files.find(owner, asked.input_file_id)
    if (file.batch_id !== '') throw batchProblems.notInput(file.id)
    const created_at = Math.floor(Date.now() / 1000)
    const { metadata, output_expires_after: kept } = asked
    const row: BatchRow = {
      ...{ owner, id: `batch_${uuid7()}`, key_id: principal.keyId, endpoint: asked.endpoint },
      ...{ input_file_id: file.id, metadata: metadata ? JSON.stringify(metadata) : '' },
      ...{ status: 'validating', errors: '', total: 0, completed: 0, failed: 0 },
      ...{ output_file_id: '', error_file_id: '', output_seconds: kept?.seconds ?? MOST_SECONDS },
      trace_project: traceProject,
      ...{ created_at, in_progress_at: 0, expires_at: created_at + WINDOW_SECONDS },
      ...{ cancelling_at: 0, ended_at: 0 },
    }
    // One at a time, so that requests that come together can't exceed the limit.
    await leases.hold(`batches ${principal.keyId}`, async () => {
      if (batchLimit > 0 && (await openBatches(store, { keyId: principal.keyId })).length >= batchLimit)
        throw batchProblems.tooManyBatches(batchLimit)
      await putBatch(store, row, nextVersion())
    })
    this.runner.poll()
    return row
  }

  /** @throws `UNKNOWN_BATCH` (404) */
  async find(owner: string, id: string): Promise<BatchRow> {
    const row = await batchRow(this.parts.store, { owner, id })
    if (!row) throw batchProblems.noBatch(id)
    return row
  }

  /** Has a batch ended by who runs it; one that has ended stays as it is. @throws `UNKNOWN_BATCH` (404) */
  async cancel(owner: string, id: string): Promise<BatchRow> {
    const row = await changeBatch(this.parts, { owner, id }, (before) =>
      before.status === 'cancelling'
        ? undefined
        : { ...before, status: 'cancelling', cancelling_at: Math.floor(Date.now() / 1000) },
    )
    if (!row) throw batchProblems.noBatch(id)
    this.runner.poll()
    return row
  }
}
