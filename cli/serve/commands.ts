/** The commands that serve: everything at once, or a role by itself. Each loads its own code when it is called. */
import type { Command } from 'commander'
import { processes } from '../../platform/config/settings.js'
import { configured, subcommand } from '../subcommand.js'

const ELSEWHERE = 'on a ClickHouse server that you run'

/** `heddle up`. */
export function upCommand(heddle: Command): void {
  const text = 'start everything on this machine: store, traces, chat and training'
  subcommand(heddle, 'up', text, processes.up).action(async () => {
    const { up } = await import('../up/up.js')
    await up(configured(processes.up))
  })
}

/** Those that serve HTTP. */
export function serviceCommands(heddle: Command): void {
  const modules = () => Promise.all([import('./role.js'), import('./services.js')])
  subcommand(
    heddle,
    'tracing',
    `serve the tracing interface (writes and reads), ${ELSEWHERE}`,
    processes.tracing,
  ).action(async () => {
    const config = configured(processes.tracing)
    const [{ serveRole }, { ingestService, queryService }] = await modules()
    const { partsService } = await import('./watch.js')
    await serveRole('tracing', config, (parts) => {
      const ingest = ingestService(parts, config)
      const query = queryService(parts, config, [ingest], () => config.trainingUrl)
      return [ingest, query, partsService(parts)]
    })
  })
  subcommand(
    heddle,
    'ingest',
    `serve only the writes of the tracing interface, ${ELSEWHERE}`,
    processes.ingest,
  ).action(async () => {
    const config = configured(processes.ingest)
    const [{ serveRole }, { ingestService }] = await modules()
    await serveRole('ingest', config, (parts) => ingestService(parts, config))
  })
  subcommand(
    heddle,
    'query',
    `serve only the reads of the tracing interface, ${ELSEWHERE}`,
    processes.query,
  ).action(async () => {
    const config = configured(processes.query)
    const [{ serveRole }, { queryService }] = await modules()
    await serveRole('query', config, (parts) => queryService(parts, config, [], () => config.trainingUrl))
  })
  subcommand(
    heddle,
    'training-api',
    'serve the training and chat interface, on a ClickHouse server and a Redis that you run',
    processes.trainingApi,
  ).action(async () => {
    const config = configured(processes.trainingApi)
    const [{ serveRole }, { trainingService }] = await modules()
    const { watchService } = await import('./watch.js')
    await serveRole('training-api', config, (parts) => [
      trainingService(parts, config, () => config.tracingUrl),
      watchService(parts, config.redisUrl),
    ])
  })
}

/** Those that work on what waits in queues. */
export function workerCommands(heddle: Command): void {
  subcommand(
    heddle,
    'inference-worker',
    'run chat completions from the queues on GPU nodes',
    processes.inferenceWorker,
  ).action(async () => {
    const { runInferenceWorker } = await import('./inference-worker.js')
    await runInferenceWorker(configured(processes.inferenceWorker))
  })
  subcommand(heddle, 'trainer-worker', 'run training jobs on GPU nodes', processes.trainerWorker).action(
    async () => {
      const { runTrainerWorker } = await import('./trainer-worker.js')
      await runTrainerWorker(configured(processes.trainerWorker))
    },
  )
  subcommand(heddle, 'evaluation-worker', 'run evaluations and scoring', processes.evaluationWorker).action(
    async () => {
      const { runEvaluationWorker } = await import('./evaluation-worker.js')
      await runEvaluationWorker(configured(processes.evaluationWorker))
    },
  )
}
