/** `heddle trainer-worker`: runs training jobs on GPU nodes. */

import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { service } from '../../platform/fairness/caller.js'
import { RedisLeases } from '../../platform/leases/redis.js'
import { Metrics } from '../../platform/telemetry/metrics.js'
import { TrainerWorker } from '../../trainer-worker/worker.js'
import { CommandError } from '../command.js'
import { storeOptions } from '../data/store-options.js'
import { trainingStorage } from './artifacts.js'
import { serveUntilSignal } from './long-running.js'
import { maskedStore } from './masked-store.js'
import { serveProbes } from './serve-probes.js'

type WorkerConfig = Config<typeof processes.trainerWorker>

/** Runs until a signal. Unfinished jobs resume elsewhere from their saved states. */
export function runTrainerWorker(config: WorkerConfig): Promise<void> {
  return serveUntilSignal('trainer-worker', config, async (log, shutdown) => {
    const nodes = listed(config.trainNodes ?? config.nodes)
    if (nodes.length === 0)
      throw new CommandError('HEDDLE_NODES is not set; set it to the addresses of GPU nodes')
    const metrics = new Metrics()
    const options = { ...storeOptions(config, config.clickhouseUrl), caller: service('trainer-worker') }
    const { store } = await maskedStore(options, config, metrics, shutdown)
    const leases = new RedisLeases(config.redisUrl)
    shutdown.add('leases', () => leases.close())
    const targets = listed(config.loraTargets)
    const worker = new TrainerWorker({
      ...{ store, leases, log, metrics, nodes, redisUrl: config.redisUrl },
      ...trainingStorage(config.artifacts, config),
      access: { token: config.nodeToken, ca: config.nodeCa },
      settings: {
        loraRank: config.loraRank === 0 ? undefined : config.loraRank,
        loraTargets: targets.length === 0 ? undefined : targets,
        saveEvery: config.trainSaveSteps === undefined ? undefined : Number(config.trainSaveSteps),
      },
      keep: { last: config.keepCheckpoints, best: config.keepBest },
    })
    const metricsPort = await serveProbes(config, metrics, shutdown, {
      store: async () => ((await store.alive()) ? undefined : 'not reachable'),
    })
    worker.start()
    shutdown.add('worker', () => worker.stop())
    log.info({ metricsPort, nodes: nodes.length }, 'ready')
  })
}

function listed(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',').map((part) => part.trim())
}
