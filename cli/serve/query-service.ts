/** The reads of the tracing interface, made from the settings of a process. */
import { arrivalOf } from '../../domain/calls/arrival.js'
import { Chat } from '../../domain/chat/chat.js'
import { applicationPage } from '../../domain/web/pages.js'
import { mcpRoutes } from '../../mcp/routes.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { LocalLeases } from '../../platform/leases/local.js'
import { RedisLeases } from '../../platform/leases/redis.js'
import type { AuditStreamOptions } from '../../resources/audit/stream.js'
import type { Outside } from '../../resources/files/store.js'
import type { ModelNodes } from '../../resources/inference/nodes.js'
import { CommandError } from '../command.js'
import { secretsOf } from '../keys/secrets.js'
import { artifactsAt } from './artifacts.js'
import { type ChatSetting, chatOptions } from './chat-options.js'
import { NodeReader } from './node-reader.js'
import { createReads } from './reads.js'
import type { Parts, Service } from './service.js'
import { signInOf } from './sign-in.js'

type QueryConfig = Pick<
  Config<typeof processes.query>,
  | 'redisUrl'
  | 'signals'
  | 'monitorScores'
  | 'monitorCost'
  | 'monitorProjectCost'
  | 'publicUrl'
  | 'signIn'
  | 'shareDaysMost'
  | 'auditWebhook'
  | 'auditWebhookSecret'
  | 'smtpUrl'
  | 'smtpFrom'
  | 'querySeconds'
  | 'queryMemory'
  | 'queryReadBytes'
  | 'sqlAtOnce'
  | 'sqlSeconds'
  | 'sqlMemory'
  | 'sqlReadRows'
  | 'sqlReadBytes'
  | 'sqlResultRows'
  | 'sqlResultBytes'
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
  | 'corsOrigins'
  | ChatSetting
> & {
  /** default: the embedded engine, which is this process's alone */
  clickhouseUrl?: string | undefined
  /** of an embedded engine: the folder for results of SQL that are made anew in another format */
  converting?: string | undefined
  /** the Redis of queues, where nodes are announced; default: the other one */
  queueUrl?: string | undefined
  /** false: no model is served here */
  chat?: boolean
  /** false: nobody runs evaluations */
  evaluations?: boolean
}

/**
 * @param config with an address of Redis, decisions have one winner over all processes; else within this one
 * @param others services on the same port, described in the same document
 * @param trainingUrl of the training interface, read when it is needed
 */
export function queryService(
  { store, marks, sessions, people, auditor, masks, version, url, log, metrics }: Parts,
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
  const tools = mcpRoutes({ url: () => url() ?? '', origins: config.corsOrigins, version })
  const specs = [...others.flatMap(({ routes }) => routes), ...tools].map(({ spec }) => spec)
  const query = createReads({
    store,
    sessions,
    people,
    auditor,
    masks,
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
    sql: {
      atOnce: config.sqlAtOnce,
      folder: config.converting,
      limits: {
        seconds: config.sqlSeconds,
        memoryBytes: config.sqlMemory,
        readRows: config.sqlReadRows,
        readBytes: config.sqlReadBytes,
        resultRows: config.sqlResultRows,
        resultBytes: config.sqlResultBytes,
      },
    },
    providers: {
      secrets: secretsOf(store, config),
      timeoutMs: config.providerSeconds * 1000,
      allowPrivate: config.allowPrivateAddresses ?? [],
    },
    monitoring: {
      ...{ signals: config.signals, perDay: config.monitorScores, marks, log, metrics },
      cost: { monitor: config.monitorCost, project: config.monitorProjectCost },
    },
    watch: queueUrl === undefined ? undefined : { redisUrl: queueUrl, marks, log, metrics },
    notifications: {
      mail: config.smtpUrl === undefined ? undefined : { url: config.smtpUrl, from: config.smtpFrom },
      url: () => config.publicUrl?.replace(/\/$/, '') ?? url(),
    },
    signIn: signInOf(config, { log, metrics }),
    sharing: { daysMost: config.shareDaysMost, url: config.publicUrl?.replace(/\/$/, '') },
    auditStream: auditStreamOf(config, queueUrl, { log, metrics }),
    outside: artifacts === undefined ? undefined : outside(artifacts, config),
    evaluationQueue:
      queueUrl === undefined || config.evaluations === false
        ? undefined
        : { url: queueUrl, ownWorker: config.evaluations === true },
  })
  return {
    routes: [...query.routes, ...tools],
    page: applicationPage(),
    start: async () => {
      await query.start()
      await chat?.start()
    },
    stop: async () => {
      await query.stop()
      await chat?.stop()
      nodes?.close()
      await leases.close()
    },
  }
}

/** @throws CommandError if lines would be sent unsigned */
function auditStreamOf(
  { auditWebhook: url, auditWebhookSecret: secret, allowPrivateAddresses: allowPrivate = [] }: QueryConfig,
  redisUrl: string | undefined,
  told: Pick<Parts, 'log' | 'metrics'>,
): AuditStreamOptions | undefined {
  if (url === undefined) return undefined
  if (secret === undefined)
    throw new CommandError('HEDDLE_AUDIT_WEBHOOK needs HEDDLE_AUDIT_WEBHOOK_SECRET, which signs the lines', 2)
  return { url, secret, allowPrivate, redisUrl, ...told }
}

function outside(address: string, config: QueryConfig): Outside {
  return { artifacts: artifactsAt(address, config), inlineBytes: config.fileInline }
}
