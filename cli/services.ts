/** The services as `heddle` mounts them: the one place that knows how each is made. */
import type { Config } from '../common/config/read.js'
import type { processes } from '../common/config/settings.js'
import { createIngest } from '../ingest/ingest.js'
import { createQuery } from '../query/routes.js'
import type { Parts, Service } from './service.js'

/** Of the bytes that bodies may hold, the part that is left for other routes. */
const FOR_READS = 0.25

export function ingestService(
  { store, metrics, log }: Parts,
  { decodeThreads, bodyMemory }: Pick<Config<typeof processes.ingest>, 'decodeThreads' | 'bodyMemory'>,
): Service {
  const heldBytes = Math.floor(bodyMemory * (1 - FOR_READS))
  return createIngest({ store, metrics, log, threads: decodeThreads, heldBytes })
}

/** @param others services on the same port, described in the same document */
export function queryService({ store, version }: Parts, others: readonly Service[] = []): Service {
  const specs = others.flatMap(({ routes }) => routes.map(({ spec }) => spec))
  return createQuery({ store, version, others: specs })
}
