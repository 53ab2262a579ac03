/** The training interface, as far as it is there: chat completions, models that can be called, health. */
import { Chat, type ChatOptions } from '../common/chat/chat.js'
import type { Bound } from '../common/http/request.js'
import type { Log } from '../common/telemetry/log.js'
import type { Metrics } from '../common/telemetry/metrics.js'
import { ChatMetrics } from './chat/metrics.js'
import { chatRoutes } from './chat/routes.js'
import { documentRoute } from './document.js'
import { traceDataRoutes } from './from-traces/routes.js'
import { healthRoutes } from './health/routes.js'
import { modelListRoutes } from './models/routes.js'
import { Tracer } from './trace/tracer.js'

export interface TrainingApiOptions extends ChatOptions {
  metrics: Metrics
  log: Log
  /** of this program */
  version: string
  /** the tracing interface, for callers who want their completions logged; read when it is needed */
  tracingUrl: () => string | undefined
}

export interface TrainingApi {
  routes: Bound[]
  /** why it can take no work at the moment, by what is missing; undefined: nothing is */
  checks: { redis: () => string | undefined }
  start(): void
  stop(): Promise<void>
}

/** Builds the service. Stop it when its last request is answered. */
export function createTrainingApi(options: TrainingApiOptions): TrainingApi {
  const { store, metrics, log, tracingUrl } = options
  const chat = new Chat(options)
  const { dispatcher } = chat
  const tracer = new Tracer(tracingUrl, log, metrics)
  const routes = [
    ...chatRoutes({ chat, tracer, metrics: new ChatMetrics(metrics, () => dispatcher.inFlight) }),
    ...modelListRoutes(dispatcher.board),
    ...traceDataRoutes(tracingUrl),
    ...healthRoutes({ store, dispatcher }),
  ]
  const described = documentRoute(routes, options.version)
  return {
    routes: [...routes, described],
    checks: { redis: () => (dispatcher.ready ? undefined : 'not reachable') },
    start: () => chat.start(),
    stop: async () => {
      await chat.stop()
      await tracer.stop()
    },
  }
}
