/** The services as `heddle` mounts them: the one place that knows how each is made. */
import type { Arrival } from '../../domain/calls/arrival.js'
import { Chat } from '../../domain/chat/chat.js'
import { applicationPage } from '../../domain/web/pages.js'
import { createIngest } from '../../ingest/ingest.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { LocalLeases } from '../../platform/leases/local.js'
import { RedisLeases } from '../../platform/leases/redis.js'
import { Outbound } from '../../platform/outbound/fetch.js'
import type { Outside } from '../../resources/files/store.js'
import type { ModelNodes } from '../../resources/inference/nodes.js'
import { createTrainingApi } from '../../training-api/training-api.js'
import { secretsOf } from '../keys/secrets.js'
import { artifactsAt, type S3Config, trainingStorage } from './artifacts.js'
import { type ChatConfig, type ChatSetting, chatOptions } from './chat-options.js'
import { NodeReader } from './node-reader.js'
import { createReads } from './reads.js'
import type { Parts, Service } from './service.js'

type QueryConfig = Pick<
  Config<typeof processes.query>,
  | 'redisUrl'
  | 'querySeconds'
  | 'queryMemory'
  | 'queryReadBytes'
  | 'artifacts'
  | 'fileInline'
  | 's3Endpoint'
  | 's3Region'
  | 's3KeyId'
  | 's3Secret'
  | 's3Session'
  | 'secretsKey'
  | 'providerSeconds'
  | 'allowPrivateAddresses'
  | 'sensitiveData'
  | 'sampleRate'
  | ChatSetting
> & {
  /** default: the embedded engine, which is this process's alone */
  clickhouseUrl?: string | undefined
  /** the Redis of queues, where nodes are announced; default: the other one */
  queueUrl?: string | undefined
  /** false: no model is served here */
  chat?: boolean
  /** false: nobody runs evaluations */
  evaluations?: boolean
}

type TrainingConfig = ChatConfig &
  S3Config &
  Pick<
    Config<typeof processes.trainingApi>,
    'allowPrivateAddresses' | 'artifacts' | 'trainingQueue' | 'trainingData'
  >

/** Of the bytes that bodies may hold, the part that is left for other routes. */
const FOR_READS = 0.25

export function ingestService(
  { store, metrics, log }: Parts,
  config: Arrival &
    Pick<Config<typeof processes.up>, 'decodeThreads' | 'bodyMemory' | 'clickhouseUrl'> & {
      engineLog?: boolean
    },
): Service {
  const heldBytes = Math.floor(config.bodyMemory * (1 - FOR_READS))
  const { decodeThreads: threads } = config
  const alone = isAlone(config)
  const logged = alone && config.engineLog === true
  const arrival = arrivalOf(config)
  return createIngest({ store, metrics, log, threads, heldBytes, alone, logged, arrival })
}

function arrivalOf({ sensitiveData, sampleRate }: Arrival): Arrival {
  return { sensitiveData, sampleRate }
}

/** The embedded engine has one parent; a server has as many writers as there are. */
function isAlone({ clickhouseUrl }: { clickhouseUrl?: string | undefined }): boolean {
  return clickhouseUrl === undefined
}

/**
 * @param config with an address of Redis, decisions have one winner over all processes; else within this one
 * @param others services on the same port, described in the same document
 * @param trainingUrl of the training interface, read when it is needed
 */
export function queryService(
  { store, sessions, version }: Parts,
  config: QueryConfig,
  others: readonly Service[] = [],
  trainingUrl: () => string | undefined = () => undefined,
): Service {
  const { redisUrl, artifacts, queueUrl = redisUrl } = config
  const nodes = queueUrl === undefined ? undefined : new NodeReader(queueUrl)
  const chat =
    queueUrl === undefined || config.chat === false
      ? undefined
      : new Chat(chatOptions(store, { ...config, redisUrl: queueUrl }))
  const leases = redisUrl === undefined ? new LocalLeases() : new RedisLeases(redisUrl)
  const specs = others.flatMap(({ routes }) => routes.map(({ spec }) => spec))
  const query = createReads({
    store,
    sessions,
    version,
    leases,
    others: specs,
    trainingUrl,
    arrival: arrivalOf(config),
    ...(nodes && { nodes: nodes.nodes satisfies ModelNodes }),
    ...(chat && { chat }),
    limits: {
      seconds: config.querySeconds,
      memoryBytes: config.queryMemory,
      readBytes: config.queryReadBytes,
    },
    providers: {
      secrets: secretsOf(store, config),
      timeoutMs: config.providerSeconds * 1000,
      allowPrivate: config.allowPrivateAddresses ?? [],
    },
    outside: artifacts === undefined ? undefined : outside(artifacts, config),
    evaluationQueue:
      queueUrl === undefined || config.evaluations === false
        ? undefined
        : { url: queueUrl, ownWorker: config.evaluations === true },
  })
  return {
    routes: query.routes,
    page: applicationPage(),
    start: () => chat?.start(),
    stop: async () => {
      await query.stop()
      await chat?.stop()
      nodes?.close()
      await leases.close()
    },
  }
}

function outside(address: string, config: QueryConfig): Outside {
  return { artifacts: artifactsAt(address, config), inlineBytes: config.fileInline }
}

/** @param tracingUrl where completions are logged that callers want logged; read when it is needed */
export function trainingService(
  { store, metrics, log, version }: Parts,
  config: TrainingConfig,
  tracingUrl: () => string | undefined,
): Service {
  const { artifacts, allowPrivateAddresses: allowPrivate = [] } = config
  const leases = new RedisLeases(config.redisUrl)
  const outbound = new Outbound({ allowPrivate })
  const storage = artifacts === undefined ? undefined : trainingStorage(artifacts, config)
  const api = createTrainingApi({
    ...{ metrics, log, version, tracingUrl, leases, outbound, storage, jobLimit: config.trainingQueue },
    dataLimit: config.trainingData,
    ...chatOptions(store, config),
  })
  return {
    ...api,
    training: true,
    stop: async () => {
      await api.stop()
      await Promise.all([leases.close(), outbound.close()])
    },
  }
}
