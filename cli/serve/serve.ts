/** Serves services on their HTTP ports, with keys, logs and metrics, and probes on another port. */

import { DECLARATIONS } from '../../contract/declared.js'
import { LogAuditor } from '../../domain/audit/auditor.js'
import { AuditLog } from '../../domain/audit/log.js'
import { authenticator } from '../../domain/auth/authenticate.js'
import { KeyRing } from '../../domain/auth/key-ring.js'
import { Sessions } from '../../domain/auth/sessions.js'
import type { Arrival } from '../../domain/calls/arrival.js'
import { Masks } from '../../domain/masking/masks.js'
import { maskedCounter } from '../../domain/metrics/masking.js'
import { storeStatements, watchStore } from '../../domain/metrics/store.js'
import { StoreRoom } from '../../domain/metrics/store-room.js'
import { People } from '../../domain/people/people.js'
import { type Observed, Store, type StoreOptions } from '../../platform/clickhouse/store.js'
import type { Config } from '../../platform/config/read.js'
import { OTLP_GRPC_PORT, type processes } from '../../platform/config/settings.js'
import { asCaller, service } from '../../platform/fairness/caller.js'
import { Turns } from '../../platform/fairness/turns.js'
import { GrpcServer } from '../../platform/grpc/server.js'
import { App, type Finished } from '../../platform/http/app.js'
import { BodyThreads } from '../../platform/http/body-threads.js'
import { clientFinder } from '../../platform/http/client-address.js'
import { ConcurrencyLimit } from '../../platform/http/concurrency-limit.js'
import { type Log, logExchanges } from '../../platform/telemetry/log.js'
import { Metrics } from '../../platform/telemetry/metrics.js'
import { problemBody } from '../../training-api/problem.js'
import { CommandError } from '../command.js'
import { reachable } from '../reachable.js'
import { version } from '../version.js'
import { marksOver } from './masked-store.js'
import { serveProbes, taken } from './serve-probes.js'
import type { Parts, Service } from './service.js'
import type { Shutdown } from './shutdown.js'
import { checkTables } from './tables.js'

/** A request that holds the main thread for longer is logged, in ms. */
const LONG_TURN_MS = 1000

/** Keys and the store's health bypass the queue of other statements. */
const OWN_CONNECTIONS = 4

type Settings = Pick<
  Config<typeof processes.up>,
  | 'host'
  | 'port'
  | 'metricsPort'
  | 'bodyMemory'
  | 'stopSeconds'
  | 'slowSeconds'
  | 'queriesPerKey'
  | 'queriesPerEntity'
  | 'writesPerKey'
  | 'writesPerEntity'
  | 'corsOrigins'
  | 'trustedProxies'
> & {
  trainingPort?: number
  otlpGrpcPort?: number | undefined
  sensitiveData?: Arrival['sensitiveData']
}

export interface Serving {
  /** where the tracing interface is: `http://127.0.0.1:8080`; a process may have only the other */
  url: string | undefined
  /** where the training interface is */
  trainingUrl: string | undefined
  /** where OTLP over gRPC is: `http://127.0.0.1:4317` */
  otlpGrpcUrl: string | undefined
  metricsUrl: string
  keys: KeyRing
  sessions: Sessions
}

/**
 * Serves until `shutdown` is run. It undoes each step in reverse: HTTP first, then the services,
 * then the connections; the training interface before the tracing interface, which logs its chat.
 */
export async function serve(
  settings: Settings,
  storeOptions: StoreOptions,
  services: (parts: Parts) => Promise<Service[]> | Service[],
  log: Log,
  shutdown: Shutdown,
): Promise<Serving> {
  let heldBytes = () => 0
  const metrics = new Metrics(() => heldBytes())
  const room = new StoreRoom()
  const counted = storeStatements(metrics)
  const observed = (statement: Observed) => {
    counted(statement)
    room.note(statement)
  }
  const own = new Store({ ...storeOptions, connections: OWN_CONNECTIONS, caller: service('health') })
  const marks = marksOver(own)
  const masking = { policy: settings.sensitiveData ?? 'off', counted: maskedCounter(metrics) } as const
  const masks = new Masks(own.as(service('masking')), masking, marks)
  const store = new Store({ ...storeOptions, observed }).changing(masks)
  shutdown.add('store', () => Promise.all([store.close(), own.close()]))
  await checkTables(own)
  await masks.start()
  shutdown.add('masks', () => masks.stop())
  const people = new People(own)
  const keys = new KeyRing(own, people)
  await keys.start()
  shutdown.add('keys', () => keys.stop())
  const sessions = new Sessions(own, keys, people)

  const auditor = new LogAuditor(new AuditLog(own.as(service('audit'))), log, metrics)
  auditor.start()
  shutdown.add('audit', () => auditor.stop())

  watchStore(metrics, own, room, storeOptions.overflow)
  let url: string | undefined
  const parts = {
    ...{ store, marks, keys, people, sessions, metrics, log, auditor, masks },
    ...{ version: version(), url: () => url },
  }
  const mounted = await services(parts)
  const start = async (training: boolean) => {
    for (const one of mounted.filter((some) => (some.training ?? false) === training)) {
      // Its timers start here, so no request is their caller.
      await asCaller(service('background'), () => one.start?.())
      shutdown.add('service', () => one.stop())
    }
  }
  await start(false)

  const working = mounted.filter(({ routes }) => routes.length > 0)

  const limit = new ConcurrencyLimit(
    { perKey: settings.queriesPerKey, perAccount: settings.queriesPerEntity },
    { perKey: settings.writesPerKey, perAccount: settings.writesPerEntity },
  )
  const bodies = new BodyThreads(DECLARATIONS)
  shutdown.add('bodies', () => bodies.stop())
  const logged = logExchanges(log, settings.slowSeconds)
  const longTurns = metrics.counter(
    'http_long_turns_total',
    'Times that a request held the main thread for more than 50 ms.',
    ['route'],
  )
  const turns = new Turns((route, ms) => {
    longTurns.inc({ route })
    if (ms > LONG_TURN_MS) log.warn({ route, ms: Math.round(ms) }, 'a request held all others up')
  })
  metrics.gauge('http_turns_waiting', 'Requests that wait for the main thread.', () => turns.waiting)
  const rules = {
    limit,
    authenticate: authenticator(keys, sessions),
    clientOf: clientFinder(settings.trustedProxies),
    finished: (exchange: Finished) => {
      metrics.exchange(exchange)
      logged(exchange)
    },
  }
  const appOf = (training: boolean) => {
    const here = mounted.filter((one) => (one.training ?? false) === training)
    const routes = here.flatMap((one) => one.routes)
    const page = here.find((one) => one.page)?.page
    if (routes.length === 0) return undefined
    return new App(routes, {
      ...rules,
      auditor,
      turns,
      heldBytes: settings.bodyMemory,
      bodies,
      ...(page && { page }),
      ...(settings.corsOrigins && { origins: settings.corsOrigins }),
      ...(training && {
        errorBody: problemBody,
        here: 'see /docs; the base URL of an OpenAI SDK ends with /v1',
      }),
      ...(!training &&
        settings.trainingPort && {
          here: `see /docs; chat and training are on port ${settings.trainingPort}`,
        }),
    })
  }
  const tracing = appOf(false)
  const training = appOf(true)
  const apps = [tracing, training].filter((app) => app !== undefined)
  heldBytes = () => apps.reduce((sum, app) => sum + app.budget.held, 0)
  metrics.gauge('http_requests_open', 'Unfinished requests, including streams.', () =>
    apps.reduce((sum, app) => sum + app.open, 0),
  )
  const methods = new Map(mounted.flatMap(({ grpc }) => [...(grpc ?? [])]))
  let grpc: GrpcServer | undefined
  if (tracing && methods.size > 0) {
    const dropped = metrics.counter(
      'grpc_connections_dropped_total',
      'Connections of OTLP over gRPC closed because the peer was gone, showed no key, or exceeded the connection limit.',
    )
    const listener = new GrpcServer(methods, {
      ...{ ...rules, budget: tracing.budget },
      dropped: () => dropped.inc(),
    })
    metrics.gauge('grpc_connections', 'Open connections of OTLP over gRPC.', () => listener.open.connections)
    metrics.gauge('grpc_calls_open', 'Unfinished calls of OTLP over gRPC.', () => listener.open.calls)
    grpc = listener
  }
  const checks = {
    store: async () => ((await own.alive()) ? undefined : 'not reachable'),
    // A process with other services keeps serving those if one lacks something.
    ...(working.length === 1 && working[0]?.checks),
  }
  const writes = { writes: () => room.check(own) }
  const metricsPort = await serveProbes(settings, metrics, shutdown, checks, writes)
  const host = reachable(settings.host)
  const listen = async (app: App | undefined, port: number, variable: string) => {
    if (!app) return undefined
    const bound = await app.listen(port, settings.host).catch(taken(variable))
    shutdown.add('http', () => app.stop(settings.stopSeconds * 1000))
    return `http://${host}:${bound}`
  }
  url = await listen(tracing, settings.port, 'HEDDLE_PORT')
  await start(true)
  return {
    url,
    otlpGrpcUrl: grpc && (await listenGrpc(grpc, settings, log, shutdown)),
    trainingUrl: await listen(training, settings.trainingPort ?? 0, 'HEDDLE_TRAINING_PORT'),
    metricsUrl: `http://${host}:${metricsPort}`,
    keys,
    sessions,
  }
}

/** Its address. The default port may be a collector's; then everything else is served without it. */
async function listenGrpc(
  grpc: GrpcServer,
  { otlpGrpcPort: port, host, stopSeconds }: Settings,
  log: Log,
  shutdown: Shutdown,
): Promise<string | undefined> {
  if (port === undefined) return undefined
  try {
    const bound = await grpc.listen(port, host)
    shutdown.add('grpc', () => grpc.stop(stopSeconds * 1000))
    return `http://${reachable(host)}:${bound}`
  } catch (error) {
    const what = `port ${port} on ${host} can't be used for OTLP over gRPC`
    const todo = 'set HEDDLE_OTLP_GRPC_PORT to another one, or to off'
    if (port !== OTLP_GRPC_PORT) throw new CommandError(`${what}; ${todo}`)
    log.warn({ err: error }, `${what}, so there is none: ${todo}`)
    return undefined
  }
}
