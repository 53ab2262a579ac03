/** The training interface, as far as it is there: chat completions, models that can be called, health. */
import type { Store } from '../common/clickhouse/store.js'
import type { Bound } from '../common/http/request.js'
import type { Log } from '../common/telemetry/log.js'
import type { Metrics } from '../common/telemetry/metrics.js'
import { RateLimits } from './chat/limits.js'
import { ChatMetrics } from './chat/metrics.js'
import { chatRoutes } from './chat/routes.js'
import { Dispatcher } from './dispatch/dispatcher.js'
import { documentRoute } from './document.js'
import { healthRoutes } from './health/routes.js'
import { ModelResolver } from './models/resolver.js'
import { modelListRoutes } from './models/routes.js'
import { Tracer } from './trace/tracer.js'

export interface TrainingApiOptions {
  store: Store
  metrics: Metrics
  log: Log
  redisUrl: string
  /** of this program */
  version: string
  /** the tracing interface, for callers who want their completions logged; read when it is needed */
  tracingUrl: () => string | undefined
  /** most requests of one model that may wait */
  queueLimit: number
  /** most time of one chat completion */
  chatSeconds: number
  /** of one key; 0: no limit */
  requestsPerMinute: number
  tokensPerMinute: number
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
  const { store, metrics, log, redisUrl, tracingUrl, queueLimit, chatSeconds } = options
  const dispatcher = new Dispatcher(redisUrl)
  const tracer = new Tracer(tracingUrl, log, metrics)
  const routes = [
    ...chatRoutes({
      dispatcher,
      models: new ModelResolver(store, dispatcher.board),
      limits: new RateLimits(dispatcher.redis, options),
      tracer,
      metrics: new ChatMetrics(metrics, () => dispatcher.inFlight),
      queueLimit,
      limitMs: chatSeconds * 1000,
    }),
    ...modelListRoutes(dispatcher.board),
    ...healthRoutes({ store, dispatcher }),
  ]
  const described = documentRoute(routes, options.version)
  return {
    routes: [...routes, described],
    checks: { redis: () => (dispatcher.ready ? undefined : 'not reachable') },
    start: () => dispatcher.start(),
    stop: async () => {
      await dispatcher.stop()
      await tracer.stop()
    },
  }
}
