/** The store of a worker, which masks what it writes as the services do. */
import type { Arrival } from '../../domain/calls/arrival.js'
import { Masks } from '../../domain/masking/masks.js'
import { maskedCounter } from '../../domain/metrics/masking.js'
import { ChangeMarks } from '../../platform/clickhouse/change-marks.js'
import { Store, type StoreOptions } from '../../platform/clickhouse/store.js'
import { service } from '../../platform/fairness/caller.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import type { Shutdown } from './shutdown.js'
import { checkTables } from './tables.js'

/** Rules are read while everything else waits. */
const OWN_CONNECTIONS = 2

/** @param own of a process: with connections of its own */
export const marksOver = (own: Store): ChangeMarks =>
  new ChangeMarks(own.as(service('watching')).inBackground())

/** Resolves when the rules are known. @throws if the tables are not what this program needs */
export async function maskedStore(
  options: StoreOptions,
  { sensitiveData: policy }: Pick<Arrival, 'sensitiveData'>,
  metrics: Metrics,
  shutdown: Shutdown,
): Promise<{ store: Store; marks: ChangeMarks }> {
  const own = new Store({ ...options, connections: OWN_CONNECTIONS, caller: service('masking') })
  const marks = marksOver(own)
  const masks = new Masks(own, { policy, counted: maskedCounter(metrics) }, marks)
  const store = new Store(options).changing(masks)
  shutdown.add('store', () => Promise.all([store.close(), own.close()]))
  await checkTables(own)
  await masks.start()
  shutdown.add('masks', () => masks.stop())
  return { store, marks }
}
