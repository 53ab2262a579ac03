/** `heddle up`: everything on this machine, in one command. */

import { basename, relative } from 'node:path'
import { logBytes, refusedBodies } from '../../clickhouse-embedded/log-folder.js'
import { hashKey } from '../../domain/auth/api-key.js'
import { Overflow } from '../../platform/clickhouse/overflow.js'
import type { StoreOptions } from '../../platform/clickhouse/store.js'
import type { Config } from '../../platform/config/read.js'
import { OTLP_GRPC_PORT, type processes } from '../../platform/config/settings.js'
import type { Log } from '../../platform/telemetry/log.js'
import { CommandError } from '../command.js'
import { prepareDatabase } from '../data/database.js'
import { storeOptions, usingStore } from '../data/store-options.js'
import { wholeAddress } from '../serve/artifacts.js'
import { ingestService } from '../serve/ingest-service.js'
import { serveUntilSignal } from '../serve/long-running.js'
import { queryService } from '../serve/query-service.js'
import { startRole, storeEnv } from '../serve/role-child.js'
import { type Serving, serve } from '../serve/serve.js'
import type { Parts, Service } from '../serve/service.js'
import type { Shutdown } from '../serve/shutdown.js'
import { exportService, logService, partsService, retentionService, watchService } from '../serve/watch.js'
import { version } from '../version.js'
import { nodesEnv, startChat } from './chat-up.js'
import { DataFolder } from './data-folder.js'
import { developmentKey } from './dev-key.js'
import { Engine } from './engine.js'
import { firstScreen } from './first-screen.js'
import { onPath } from './on-path.js'
import { takenPorts } from './ports.js'

type UpConfig = Config<typeof processes.up>

/** Workers that stop hand over their work at once. */
const HAND_OVER_MS = 10_000

/** Serves until a signal; resolves when everything has stopped. */
export function up(config: UpConfig): Promise<void> {
  return serveUntilSignal('up', config, (log, shutdown) => start(config, log, shutdown))
}

async function start(config: UpConfig, log: Log, shutdown: Shutdown): Promise<void> {
  await portsFree(config)
  const data = new DataFolder(config.dataDir)
  data.checkWritable()
  // With a server elsewhere, this machine's disk may be gone tomorrow.
  const isEmbedded = config.clickhouseUrl === undefined
  const folder = config.artifacts ?? (isEmbedded ? data.artifacts : undefined)
  const artifacts = folder === undefined ? undefined : wholeAddress(folder)
  const starting = [
    connect(config, data, log, shutdown),
    startChat(config, data.path, artifacts, log, shutdown),
  ] as const
  // If one fails, what the other has started is stopped, too.
  await Promise.allSettled(starting)
  const [options, chat] = await Promise.all(starting)
  const cluster = config.clickhouseCluster
  const applied = await prepareDatabase(options, {
    ...(cluster !== undefined && { cluster }),
    progress: (file, position, total) => log.debug({ file, position, total }, 'migrating'),
    waiting: () => log.info('another migration is running; waiting for it'),
  })
  if (applied.length > 0) log.info({ applied: applied.length }, 'the tables are up to date')
  const key = await usingStore({ ...options, connections: 1 }, (store) =>
    developmentKey(store, data, config.devApiKey),
  )
  const { redisUrl: queueUrl, missing } = chat
  let serving: Serving | undefined
  serving = await serve(
    config,
    { ...options, overflow: new Overflow({ folder: data.overflow, bytes: config.readOverflow }) },
    async (parts) => {
      const ingest = ingestService(parts, config)
      const query = queryService(
        parts,
        { ...config, artifacts, queueUrl, ...(isEmbedded && { converting: data.converting }) },
        [ingest],
        () => serving?.trainingUrl,
      )
      const others = [
        watchService(parts, queueUrl),
        partsService(parts),
        logService(
          parts,
          () => refusedBodies(data.engine),
          () => logBytes(data.engine),
        ),
        retentionService(parts),
        ...(config.exportTo === undefined ? [] : [await exportsTo(parts, config, config.exportTo)]),
      ]
      if (queueUrl === undefined) return [ingest, query, ...others]
      // Not loaded where it is not served.
      const { trainingService } = await import('../serve/training-service.js')
      return [
        ingest,
        query,
        ...others,
        trainingService(parts, { ...config, artifacts, redisUrl: queueUrl }, () => serving?.url),
      ]
    },
    log,
    shutdown,
  )
  if (chat.nodes && artifacts !== undefined) {
    const env = { ...storeEnv(options), ...nodesEnv(chat.nodes), HEDDLE_ARTIFACTS: artifacts }
    startRole({ command: 'trainer-worker', env, graceMs: HAND_OVER_MS }, log, shutdown)
  }
  const evaluationQueue = queueUrl ?? config.redisUrl
  if (evaluationQueue !== undefined && config.evaluations) {
    const env = {
      ...{ ...storeEnv(options), REDIS_URL: evaluationQueue },
      ...(artifacts !== undefined && { HEDDLE_ARTIFACTS: artifacts }),
    }
    startRole({ command: 'evaluation-worker', env, graceMs: HAND_OVER_MS }, log, shutdown)
  }
  const embedded = config.clickhouseUrl === undefined
  process.stdout.write(
    firstScreen({
      version: version(),
      url: serving.url ?? '',
      code: serving.sessions.newCode(hashKey(key)),
      chatUrl: missing === undefined ? serving.trainingUrl : undefined,
      chatLater: chat.later,
      chatMissing: missing,
      metricsUrl: serving.metricsUrl,
      otlpGrpcUrl: serving.otlpGrpcUrl,
      key,
      keyFile: config.devApiKey === undefined ? near(data.devKeyFile) : undefined,
      store: embedded ? near(data.path) : `${config.clickhouseUrl}${cluster ? `, cluster ${cluster}` : ''}`,
      demo: process.env.MAKELEVEL === undefined ? `${invocation()} demo` : 'make demo',
      terminal: process.stdout.isTTY === true,
    }),
  )
}

/** Looked at before anything is started, and all at once. @throws CommandError if one is taken */
async function portsFree(config: UpConfig): Promise<void> {
  const { host, port, metricsPort, trainingPort, otlpGrpcPort, chat, redisUrl } = config
  const withChat = chat && (redisUrl !== undefined || onPath('redis-server') !== undefined)
  const problem = await takenPorts(host, {
    HEDDLE_PORT: port,
    HEDDLE_METRICS_PORT: metricsPort,
    ...(withChat && { HEDDLE_TRAINING_PORT: trainingPort }),
    // The default may be a collector's.
    ...(otlpGrpcPort !== undefined &&
      otlpGrpcPort !== OTLP_GRPC_PORT && { HEDDLE_OTLP_GRPC_PORT: otlpGrpcPort }),
  })
  if (problem !== undefined) throw new CommandError(problem)
}

/** Not loaded where nothing is exported. */
async function exportsTo(parts: Parts, config: UpConfig, destination: string): Promise<Service> {
  const { fileExport } = await import('../data/export-files.js')
  return exportService(parts, (store) => fileExport(store, config, destination, config.exportUnit))
}

/** The configured server, or an engine of our own. */
async function connect(
  config: UpConfig,
  data: DataFolder,
  log: Log,
  shutdown: Shutdown,
): Promise<StoreOptions> {
  if (config.clickhouseUrl !== undefined) return storeOptions(config, config.clickhouseUrl)
  const engine = await Engine.start(data, log, config)
  shutdown.add('engine', () => engine.stop())
  return { ...engine.address, appends: engine.appends }
}

/** How this program was called, so that hints can be pasted. */
function invocation(): string {
  const script = process.argv[1] ?? 'heddle'
  return basename(script) === 'heddle' ? 'heddle' : `node ${near(script)}`
}

/** A path as one would write it from here. */
function near(path: string): string {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}
