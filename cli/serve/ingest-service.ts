/** The writes of the tracing interface, made from the settings of a process. */
import { type Arrival, arrivalOf } from '../../domain/calls/arrival.js'
import { createIngest } from '../../ingest/ingest.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import type { Parts, Service } from './service.js'

/** Of the bytes that bodies may hold, the part that is left for other routes. */
const FOR_READS = 0.25

export function ingestService(
  { store, metrics, log, masks }: Parts,
  config: Arrival &
    Pick<Config<typeof processes.up>, 'decodeThreads' | 'bodyMemory' | 'clickhouseUrl'> & {
      engineLog?: boolean
    },
): Service {
  const heldBytes = Math.floor(config.bodyMemory * (1 - FOR_READS))
  const { decodeThreads: threads } = config
  // The embedded engine has one parent; a server has as many writers as there are.
  const alone = config.clickhouseUrl === undefined
  const logged = alone && config.engineLog === true
  const arrival = arrivalOf(config)
  return createIngest({ store, metrics, log, threads, heldBytes, alone, logged, arrival, masks })
}
