/** `heddle inference-worker`: runs chat completions from the queues on GPU nodes. */

import { InferenceWorker } from '../../inference-worker/worker.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { Metrics } from '../../platform/telemetry/metrics.js'
import { serveUntilSignal } from './long-running.js'
import { serveProbes } from './serve-probes.js'

type WorkerConfig = Config<typeof processes.inferenceWorker>

/** Runs until a signal; resolves when every request is answered or given back. */
export function runInferenceWorker(config: WorkerConfig): Promise<void> {
  return serveUntilSignal('inference-worker', config, async (log, shutdown) => {
    const metrics = new Metrics()
    const nodes = config.nodes.split(',').map((address) => address.trim())
    const worker = new InferenceWorker({
      redisUrl: config.redisUrl,
      nodes,
      access: { token: config.nodeToken, ca: config.nodeCa },
      log,
      metrics,
      stopSeconds: config.stopSeconds,
    })
    const metricsPort = await serveProbes(config, metrics, shutdown, {
      nodes: () => (worker.nodesUp > 0 ? undefined : 'none is up'),
    })
    worker.start()
    shutdown.add('worker', () => worker.stop())
    log.info({ metricsPort, nodes: nodes.length }, 'ready')
  })
}
