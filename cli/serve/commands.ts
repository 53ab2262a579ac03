/** The commands that serve: everything, or a single role. Each loads its own code, and only that, when it is called. */
import type { Command } from 'commander'
import type { Config, Settings } from '../../platform/config/read.js'
import { processes } from '../../platform/config/settings.js'
import { service } from '../../platform/fairness/caller.js'
import { configured, subcommand } from '../subcommand.js'

const ELSEWHERE = 'on a ClickHouse server that you run'

/** `heddle up`. */
export function upCommand(heddle: Command): void {
  const text = 'start everything on this machine: store, traces, chat and training'
  role(heddle, 'up', text, processes.up, async (config) => (await import('../up/up.js')).up(config))
}

/** The roles that serve HTTP. */
export function serviceCommands(heddle: Command): void {
  const tracing = `serve the tracing interface (writes and reads), ${ELSEWHERE}`
  role(heddle, 'tracing', tracing, processes.tracing, async (config) => {
    const { serveRole } = await import('./role.js')
    const { ingestService } = await import('./ingest-service.js')
    const { queryService } = await import('./query-service.js')
    const { partsService } = await import('./watch.js')
    await serveRole('tracing', config, (parts) => {
      const ingest = ingestService(parts, config)
      const query = queryService(parts, config, [ingest], () => config.trainingUrl)
      return [ingest, query, partsService(parts)]
    })
  })
  const writes = `serve only the writes of the tracing interface, ${ELSEWHERE}`
  role(heddle, 'ingest', writes, processes.ingest, async (config) => {
    const { serveRole } = await import('./role.js')
    const { ingestService } = await import('./ingest-service.js')
    const { healthRoute } = await import('../../resources/service/routes.js')
    const { Health } = await import('../../resources/service/health.js')
    await serveRole('ingest', config, (parts) => {
      const ingest = ingestService(parts, config)
      const health = new Health(parts.store.as(service('health')))
      return { ...ingest, routes: [...ingest.routes, healthRoute(health)] }
    })
  })
  const reads = `serve only the reads of the tracing interface, ${ELSEWHERE}`
  role(heddle, 'query', reads, processes.query, async (config) => {
    const { serveRole } = await import('./role.js')
    const { queryService } = await import('./query-service.js')
    await serveRole('query', config, (parts) => queryService(parts, config, [], () => config.trainingUrl))
  })
  const training = 'serve the training and chat interface, on a ClickHouse server and a Redis that you run'
  role(heddle, 'training-api', training, processes.trainingApi, async (config) => {
    const { serveRole } = await import('./role.js')
    const { trainingService } = await import('./training-service.js')
    const { watchService } = await import('./watch.js')
    await serveRole('training-api', config, (parts) => [
      trainingService(parts, config, () => config.tracingUrl),
      watchService(parts, config.redisUrl),
    ])
  })
}

/** The roles that work on queues. */
export function workerCommands(heddle: Command): void {
  const chat = 'run chat completions from the queues on GPU nodes'
  role(heddle, 'inference-worker', chat, processes.inferenceWorker, async (config) =>
    (await import('./inference-worker.js')).runInferenceWorker(config),
  )
  role(heddle, 'trainer-worker', 'run training jobs on GPU nodes', processes.trainerWorker, async (config) =>
    (await import('./trainer-worker.js')).runTrainerWorker(config),
  )
  const evaluations = 'run evaluations and scoring'
  role(heddle, 'evaluation-worker', evaluations, processes.evaluationWorker, async (config) =>
    (await import('./evaluation-worker.js')).runEvaluationWorker(config),
  )
}

/** Adds a command that runs with its settings. */
function role<S extends Settings>(
  heddle: Command,
  name: string,
  text: string,
  settings: S,
  run: (config: Config<S>) => Promise<void>,
): void {
  subcommand(heddle, name, text, settings).action(() => run(configured(settings)))
}
