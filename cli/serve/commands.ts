/** The commands that serve: everything at once, or a role by itself. Each loads its own code when it is called. */
import type { Command } from 'commander'
import { processes } from '../../platform/config/settings.js'
import { configured, subcommand } from '../subcommand.js'

const ELSEWHERE = 'on a ClickHouse that others run'

/** `heddle up`. */
export function upCommand(heddle: Command): void {
  const text = 'everything on this machine: the store, traces, chat and training'
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
    `both halves of the tracing interface on one port, ${ELSEWHERE}`,
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
  subcommand(heddle, 'ingest', `the writing half alone, ${ELSEWHERE}`, processes.ingest).action(async () => {
    const config = configured(processes.ingest)
    const [{ serveRole }, { ingestService }] = await modules()
    await serveRole('ingest', config, (parts) => ingestService(parts, config))
  })
  subcommand(heddle, 'query', `the reading half alone, ${ELSEWHERE}`, processes.query).action(async () => {
    const config = configured(processes.query)
    const [{ serveRole }, { queryService }] = await modules()
    await serveRole('query', config, (parts) => queryService(parts, config, [], () => config.trainingUrl))
  })
  subcommand(
    heddle,
    'training-api',
    'the training and chat interface alone, on a ClickHouse and a Redis that others run',
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
    'takes chat work from the queues and lets GPU nodes do it',
    processes.inferenceWorker,
  ).action(async () => {
    const { runInferenceWorker } = await import('./inference-worker.js')
    await runInferenceWorker(configured(processes.inferenceWorker))
  })
  subcommand(
    heddle,
    'trainer-worker',
    'takes training jobs and lets GPU nodes do them',
    processes.trainerWorker,
  ).action(async () => {
    const { runTrainerWorker } = await import('./trainer-worker.js')
    await runTrainerWorker(configured(processes.trainerWorker))
  })
  subcommand(
    heddle,
    'evaluation-worker',
    'runs the evaluations and scoring that the server was asked for',
    processes.evaluationWorker,
  ).action(async () => {
    const { runEvaluationWorker } = await import('./evaluation-worker.js')
    await runEvaluationWorker(configured(processes.evaluationWorker))
  })
}
