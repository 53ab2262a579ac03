/** The training interface: chat completions, models and their checkpoints, training jobs, health. */

import { Chat, type ChatOptions } from '../domain/chat/chat.js'
import { SigningSecrets } from '../domain/secrets/signing-secrets.js'
import { documentRoutes } from '../domain/web/document.js'
import type { Bound } from '../platform/http/request.js'
import type { Leases } from '../platform/leases/lease.js'
import type { Outbound } from '../platform/outbound/fetch.js'
import type { Log } from '../platform/telemetry/log.js'
import type { Metrics } from '../platform/telemetry/metrics.js'
import { Batches } from './batches/batches.js'
import { batchRoutes } from './batches/routes.js'
import { ChatMetrics } from './chat/metrics.js'
import { chatRoutes } from './chat/routes.js'
import { checkpointRoutes } from './checkpoints/routes.js'
import { completionRoutes } from './completions/routes.js'
import { embeddingRoutes } from './embeddings/routes.js'
import { eventRoutes } from './events/routes.js'
import { traceDataRoutes } from './from-traces/routes.js'
import { traceLines } from './from-traces/trace-lines.js'
import { healthRoutes } from './health/routes.js'
import { DataQuotas } from './jobs/data-quota.js'
import { scorerPlanner } from './jobs/guidance.js'
import { JobService, type TrainingStorage } from './jobs/job-service.js'
import { jobRoutes } from './jobs/routes.js'
import { messageRoutes } from './messages/routes.js'
import { modelListRoutes } from './models/routes.js'
import { trainedModelRoutes } from './models/trained-routes.js'
import { Background } from './responses/background.js'
import { responseRoutes } from './responses/routes.js'
import { sampleRoutes } from './samples/routes.js'
import { Threads } from './threads/threads.js'
import { TokenKeeper } from './trace/token-keeper.js'
import { Tracer } from './trace/tracer.js'

const DESCRIPTION = 'Models, training jobs, embeddings, and chat completions of base models and checkpoints.'

export interface TrainingApiOptions extends ChatOptions {
  metrics: Metrics
  log: Log
  /** this program's */
  version: string
  /** the tracing interface, for callers who want their completions logged; read when needed */
  tracingUrl: () => string | undefined
  /** for decisions that one process makes at a time */
  leases: Leases
  /** where training data and checkpoints are stored; undefined: training is off */
  storage: TrainingStorage | undefined
  /** the most open training jobs of an entity; 0: no limit */
  jobLimit: number
  /** the most bytes of an entity's training data, in open jobs and in uploads; 0: no limit */
  dataLimit: number
  /** the most unfinished batches of a key; 0: no limit */
  batchLimit: number
  /** the most bytes of a key's files for batches; 0: no limit */
  fileLimit: number
  /** fetches the addresses that callers name */
  outbound: Outbound
}

export interface TrainingApi {
  routes: Bound[]
  /** why the service can't take work now, by dependency; undefined: it can */
  checks: { redis: () => string | undefined }
  start(): void
  stop(): Promise<void>
}

/** Builds the service. Stop it when its last request is answered. */
export function createTrainingApi(options: TrainingApiOptions): TrainingApi {
  const { store, metrics, log, tracingUrl, leases, storage, outbound, redisUrl } = options
  const chat = new Chat(options)
  const { dispatcher } = chat
  const tracer = new Tracer(tracingUrl, log, metrics)
  const threads = new Threads()
  const service = new JobService(
    store,
    leases,
    storage,
    redisUrl,
    options.jobLimit,
    new DataQuotas(options.dataLimit),
    threads,
  )
  const chatMetrics = new ChatMetrics(metrics, () => dispatcher.inFlight)
  const tokens = new TokenKeeper(store, log, metrics)
  const chatParts = { chat, threads, tracer, tokens, metrics: chatMetrics }
  const secrets = new SigningSecrets(store)
  const batches =
    storage &&
    new Batches({
      ...{ store, leases, artifacts: storage.artifacts, chat, threads, secrets, log, metrics },
      ...{ batchLimit: options.batchLimit, fileLimit: options.fileLimit },
      ended: (outcome) => chatMetrics.ended(outcome),
    })
  const background = new Background()
  const routes = [
    ...chatRoutes(chatParts),
    ...messageRoutes({ ...chatParts, secrets }),
    ...responseRoutes({ ...chatParts, store, background, secrets }),
    ...completionRoutes(chatParts),
    ...embeddingRoutes(chatParts),
    ...batchRoutes(batches),
    ...modelListRoutes(chat),
    ...trainedModelRoutes(service),
    ...checkpointRoutes(service),
    ...jobRoutes(service, {
      ...{ store, outbound, threads, traceLines: traceLines(tracingUrl) },
      planScorers: scorerPlanner(tracingUrl),
    }),
    ...eventRoutes(service),
    ...sampleRoutes(service),
    ...traceDataRoutes(tracingUrl),
    ...healthRoutes({ store, dispatcher }),
  ]
  return {
    routes: [
      ...routes,
      ...documentRoutes(
        routes.map(({ spec }) => spec),
        { title: 'Heddle, training and chat', version: options.version, description: DESCRIPTION },
      ),
    ],
    checks: { redis: () => (dispatcher.ready ? undefined : 'not reachable') },
    start: () => {
      chat.start()
      batches?.start()
    },
    stop: async () => {
      await batches?.stop()
      await background.stop()
      await chat.stop()
      await service.close()
      await threads.stop()
      await Promise.all([tracer.stop(), tokens.stop()])
    },
  }
}
