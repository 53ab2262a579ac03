/** The services as `heddle` mounts them: the one place that knows how each is made. */
import { openArtifacts } from '../common/artifacts/open.js'
import { Chat, type ChatOptions } from '../common/chat/chat.js'
import type { Store } from '../common/clickhouse/store.js'
import type { Config } from '../common/config/read.js'
import type { processes } from '../common/config/settings.js'
import { LocalLeases } from '../common/leases/local.js'
import { RedisLeases } from '../common/leases/redis.js'
import { createIngest } from '../ingest/ingest.js'
import type { Outside } from '../query/files/store.js'
import type { ModelNodes } from '../query/inference/nodes.js'
import { createQuery } from '../query/routes.js'
import { createTrainingApi } from '../training-api/training-api.js'
import { NodeReader } from './node-reader.js'
import { secretsOf } from './secrets.js'
import type { Parts, Service } from './service.js'

type QueryConfig = Pick<
  Config<typeof processes.query>,
  | 'redisUrl'
  | 'querySeconds'
  | 'queryMemory'
  | 'queryReadBytes'
  | 'queriesPerKey'
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
  | 'chatQueue'
  | 'chatSeconds'
  | 'chatRequestsPerMinute'
  | 'chatTokensPerMinute'
> & {
  /** the Redis of queues, where nodes are announced; default: the other one */
  queueUrl?: string | undefined
}

type ChatConfig = Pick<
  Config<typeof processes.trainingApi>,
  'redisUrl' | 'chatQueue' | 'chatSeconds' | 'chatRequestsPerMinute' | 'chatTokensPerMinute'
>

/** Of the bytes that bodies may hold, the part that is left for other routes. */
const FOR_READS = 0.25

export function ingestService(
  { store, metrics, log }: Parts,
  config: Pick<Config<typeof processes.up>, 'decodeThreads' | 'bodyMemory' | 'clickhouseUrl'>,
): Service {
  const heldBytes = Math.floor(config.bodyMemory * (1 - FOR_READS))
  // The embedded engine has one parent; a server has as many writers as there are.
  const alone = config.clickhouseUrl === undefined
  return createIngest({ store, metrics, log, threads: config.decodeThreads, heldBytes, alone })
}

/**
 * @param config with an address of Redis, decisions have one winner over all processes; else within this one
 * @param others services on the same port, described in the same document
 * @param trainingUrl of the training interface, read when it is needed
 */
export function queryService(
  { store, version }: Parts,
  config: QueryConfig,
  others: readonly Service[] = [],
  trainingUrl: () => string | undefined = () => undefined,
): Service {
  const { redisUrl, artifacts, queueUrl = redisUrl } = config
  const nodes = queueUrl === undefined ? undefined : new NodeReader(queueUrl)
  const chat =
    queueUrl === undefined ? undefined : new Chat(chatOptions(store, { ...config, redisUrl: queueUrl }))
  const leases = redisUrl === undefined ? new LocalLeases() : new RedisLeases(redisUrl)
  const specs = others.flatMap(({ routes }) => routes.map(({ spec }) => spec))
  const query = createQuery({
    store,
    version,
    leases,
    others: specs,
    trainingUrl,
    ...(nodes && { nodes: nodes.nodes satisfies ModelNodes }),
    ...(chat && { chat }),
    limits: {
      seconds: config.querySeconds,
      memoryBytes: config.queryMemory,
      readBytes: config.queryReadBytes,
    },
    queriesPerKey: config.queriesPerKey,
    providers: {
      secrets: secretsOf(store, config),
      timeoutMs: config.providerSeconds * 1000,
      allowPrivate: config.allowPrivateAddresses ?? [],
    },
    outside: artifacts === undefined ? undefined : outside(artifacts, config),
  })
  return {
    routes: query.routes,
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
  const access = {
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    accessKeyId: config.s3KeyId,
    secretAccessKey: config.s3Secret,
    sessionToken: config.s3Session,
  }
  return { artifacts: openArtifacts(address, access), inlineBytes: config.fileInline }
}

/** @param tracingUrl where completions are logged that callers want logged; read when it is needed */
export function trainingService(
  { store, metrics, log, version }: Parts,
  config: ChatConfig,
  tracingUrl: () => string | undefined,
): Service {
  const api = createTrainingApi({
    ...{ metrics, log, version, tracingUrl },
    ...chatOptions(store, config),
  })
  return { ...api, training: true }
}

function chatOptions(store: Store, config: ChatConfig): ChatOptions {
  return {
    store,
    redisUrl: config.redisUrl,
    queueLimit: config.chatQueue,
    chatSeconds: config.chatSeconds,
    requestsPerMinute: config.chatRequestsPerMinute,
    tokensPerMinute: config.chatTokensPerMinute,
  }
}
