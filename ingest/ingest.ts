/**
 * The ingest service: makes its parts, binds its routes, starts and stops. What it is given it shares with other
 * services and leaves open.
 */

import { type Arrival, AS_SENT } from '../domain/calls/arrival.js'
import { operatorMasks } from '../domain/masking/defaults.js'
import type { Masks } from '../domain/masking/masks.js'
import { ProjectRegister } from '../domain/projects/register.js'
import type { Store } from '../platform/clickhouse/store.js'
import { service } from '../platform/fairness/caller.js'
import type { Bound } from '../platform/http/request.js'
import { projectNameOf } from '../platform/ids/project.js'
import type { Log } from '../platform/telemetry/log.js'
import type { Metrics } from '../platform/telemetry/metrics.js'
import { versions } from '../platform/time/versions.js'
import { Changes } from './changes/changes.js'
import { LangfuseIngestion } from './langfuse/ingestion.js'
import { Inheritance } from './merge/inheritance.js'
import { JoinedHalves } from './merge/joined-halves.js'
import { Merge } from './merge/merge.js'
import { repeated } from './merge/unreconciled.js'
import { Unsettled } from './merge/unsettled.js'
import { BatchOrder } from './pipeline/batch-order.js'
import { Commit } from './pipeline/commit.js'
import { FairBudget } from './pipeline/fair-budget.js'
import { IngestMetrics } from './pipeline/metrics.js'
import { OpObjects } from './pipeline/op-objects.js'
import { Pipeline } from './pipeline/pipeline.js'
import { preload, withHashes } from './pipeline/preload.js'
import { RecentIds } from './pipeline/recent-ids.js'
import { ReconcileBacklog } from './pipeline/reconcile-backlog.js'
import { ReconcileQueue } from './pipeline/reconcile-queue.js'
import { Reconciler } from './pipeline/reconciler.js'
import { StoreGate } from './pipeline/store-gate.js'
import { tenantOf } from './pipeline/tenant.js'
import { WriterElection } from './pipeline/writer-election.js'
import { ingestRoutes, otlpMethods } from './routes.js'
import { Threads } from './threads/threads.js'

const MIB = 1 << 20

export interface IngestOptions {
  store: Store
  metrics: Metrics
  log: Log
  /** what is done with calls before they are stored; default: nothing */
  arrival?: Arrival
  /** masks texts; default: by what `arrival` says alone */
  masks?: Pick<Masks, 'snapshot' | 'note'>
  /** decode threads; 0: by the number of cores */
  threads?: number
  /** bytes of bodies under way over all projects */
  heldBytes?: number
  /** ids of calls remembered at least, so that a retried write is known for one; 6 bytes each, twice */
  recentIds?: number
  /** how long a write waits for a store that is away */
  timeoutMs?: number
  /** true: no other process can write to this store */
  alone?: boolean
  /** true: the store appends what it is given to a log, so that small batches cost little */
  logged?: boolean
}

export interface Ingest {
  routes: Bound[]
  /** what is served over gRPC, by the paths of its methods */
  grpc: ReadonlyMap<string, Bound>
  /** Resolves when it can take writes, and each call that it finds is there once. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

/** Bytes of bodies in a full batch: 10 to 20 thousand spans, as many as make a good part. */
const BATCH_WEIGHT = 16 * MIB
const INSERTS_AT_ONCE = 1
/** ms between the starts of batches that are not full, where each makes a part that has to be merged, */
const GAP_MS = 20
/** and where they are appended to a log. */
const LOGGED_GAP_MS = 2
const INSERT_TIMEOUT_MS = 30_000

export function createIngest(options: IngestOptions): Ingest {
  const { log } = options
  // Batches are of many callers, who have been admitted by their bytes.
  const store = options.store.as(service('ingest'))
  const arrival = options.arrival ?? AS_SENT
  const masks = options.masks ?? operatorMasks(arrival)
  const threads = new Threads(
    options.threads ?? 0,
    arrival,
    () => masks.snapshot,
    (error) => log.error({ err: error }, 'a decode thread broke'),
  )
  const gate = new StoreGate(store, options.timeoutMs ?? 3000)
  const clock = versions
  const recent = new RecentIds(options.recentIds ?? 4_000_000)
  const batchOrder = new BatchOrder()
  const backlog = new ReconcileBacklog()
  const unsettled = new Unsettled(store)
  const joined = new JoinedHalves(store.inBackground(), unsettled)
  const merge = new Merge(store, unsettled, joined)
  const queue = new ReconcileQueue((callChanges) => gate.run(() => merge.reconcile(callChanges), true))
  const inheritance = new Inheritance(store.inBackground(), unsettled, (projectId, write) =>
    queue.change(projectId, tenantOf(projectNameOf(projectId) ?? `${projectId}/`), () =>
      gate.run(write, true),
    ),
  )
  const budget = new FairBudget(options.heldBytes ?? 128 * MIB)
  const metrics: IngestMetrics = new IngestMetrics(
    options.metrics,
    () => pipeline.queued,
    () => budget.held,
    () => gate.away,
  )
  const commit = new Commit({
    ...{ store, threads, gate, queue, batchOrder, backlog, unsettled, clock, recent, metrics, masks },
    projects: new ProjectRegister(store),
    ops: new OpObjects(store, () => clock.reserve(1)),
    insertTimeoutMs: INSERT_TIMEOUT_MS,
  })
  const pipeline: Pipeline = new Pipeline(commit, {
    batchWeight: BATCH_WEIGHT,
    threads: threads.count,
    inserts: INSERTS_AT_ONCE,
    gapMs: options.logged ? LOGGED_GAP_MS : GAP_MS,
    smallBatches: options.logged === true,
  })
  const reconciler = new Reconciler({
    ...{ store: store.inBackground(), queue, backlog, unsettled, joined, inheritance, gate, clock, log },
    writers: options.alone ? undefined : new WriterElection(store),
  })

  const langfuse = new LangfuseIngestion(options.store, (projectId, { id, traceId }) => {
    // What other processes write is not among the recent ids.
    return !options.alone || recent.mayHave(projectId, id, traceId)
  })
  const routes = ingestRoutes({
    ...{ pipeline, budget, gate, log },
    changes: new Changes(options.store, queue, gate, batchOrder, recent),
    langfuse,
    refused: (code) => metrics.refused.inc({ code }),
  })
  return {
    routes,
    grpc: otlpMethods(routes),
    start: async () => {
      await threads.ready()
      const { rows, twice, all } = await preload(store, recent, clock, options.alone === true)
      const met = twice.length > 0 ? withHashes(twice) : undefined
      await reconciler.start(() => repeated(store, rows, met, !all))
    },
    stop: async () => {
      await pipeline.stop()
      await reconciler.stop()
      gate.stop()
      await threads.stop()
      await langfuse.stop()
    },
  }
}
