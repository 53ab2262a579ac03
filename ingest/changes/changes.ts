/**
 * Changes of calls that are stored: a new display name, a delete. Each waits for the batches that were begun before
 * it, and runs between the second steps of its project: what was under way before it is changed too, and a write that comes
 * after it stays as it is.
 */
import { deleteCalls } from '../../domain/calls/delete.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { BatchOrder } from '../pipeline/batch-order.js'
import { hashesOf } from '../pipeline/id-hash.js'
import type { RecentIds } from '../pipeline/recent-ids.js'
import type { ReconcileQueue } from '../pipeline/reconcile-queue.js'
import type { StoreGate } from '../pipeline/store-gate.js'
import { tenantOf } from '../pipeline/tenant.js'
import { renameCall } from './rename.js'

/** Calls that one request may delete. */
const DELETE_LIMIT = 1000

export class Changes {
  constructor(
    private readonly store: Store,
    private readonly queue: ReconcileQueue,
    private readonly gate: StoreGate,
    private readonly batchOrder: BatchOrder,
    private readonly recent: RecentIds,
  ) {}

  /** @throws 400 if there is no name to give */
  async update(project: string, id: string, displayName: string | null): Promise<object> {
    if (displayName === null) throw errors.badRequest('display_name is required: "" removes the name.')
    // A batch that begins from now on looks for the name of this call.
    this.recent.add(...hashesOf(projectIdOf(project), id))
    await this.change(project, (projectId) => renameCall(this.store, projectId, id, displayName))
    return {}
  }

  /** @throws 413 for more than 1000 ids */
  async delete(project: string, ids: readonly string[]): Promise<{ num_deleted: number }> {
    if (ids.length > DELETE_LIMIT) throw errors.tooMany('call ids', DELETE_LIMIT)
    if (ids.length === 0) return { num_deleted: 0 }
    return { num_deleted: await this.change(project, (projectId) => deleteCalls(this.store, projectId, ids)) }
  }

  /** Both changes may be done twice. */
  private async change<Result>(
    project: string,
    run: (projectId: string) => Promise<Result>,
  ): Promise<Result> {
    await this.batchOrder.reached()
    const projectId = projectIdOf(project)
    const once = () => this.gate.run(() => run(projectId), true)
    return this.queue.change(projectId, tenantOf(project), once)
  }
}
