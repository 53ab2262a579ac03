/** The services as `heddle` mounts them: the one place that knows how each is made. */
import type { Config } from '../common/config/read.js'
import type { processes } from '../common/config/settings.js'
import { LocalLeases } from '../common/leases/local.js'
import { RedisLeases } from '../common/leases/redis.js'
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

/**
 * @param config with an address of Redis, decisions have one winner over all processes; else within this one
 * @param others services on the same port, described in the same document
 */
export function queryService(
  { store, version }: Parts,
  { redisUrl }: Pick<Config<typeof processes.query>, 'redisUrl'>,
  others: readonly Service[] = [],
): Service {
  const leases = redisUrl === undefined ? new LocalLeases() : new RedisLeases(redisUrl)
  const specs = others.flatMap(({ routes }) => routes.map(({ spec }) => spec))
  const query = createQuery({ store, version, leases, others: specs })
  return {
    routes: query.routes,
    stop: async () => {
      await query.stop()
      await leases.close()
    },
  }
}
