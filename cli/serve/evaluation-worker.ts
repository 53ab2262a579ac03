/** `heddle evaluation-worker`: runs evaluations and scoring. */
import { setPriority } from 'node:os'
import { Chat } from '../../domain/chat/chat.js'
import { ProjectRegister } from '../../domain/projects/register.js'
import { latestObject } from '../../domain/providers/latest.js'
import { Providers } from '../../domain/providers/provider.js'
import { Preparations } from '../../evaluation-worker/preparation/preparations.js'
import { Remote } from '../../evaluation-worker/remote.js'
import { EvaluationWorker } from '../../evaluation-worker/worker.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { service } from '../../platform/fairness/caller.js'
import { BodyBudget } from '../../platform/http/budget.js'
import { RedisLeases } from '../../platform/leases/redis.js'
import { Outbound } from '../../platform/outbound/fetch.js'
import { Metrics } from '../../platform/telemetry/metrics.js'
import { storeOptions } from '../data/store-options.js'
import { secretsOf } from '../keys/secrets.js'
import { trainingStorage } from './artifacts.js'
import { chatOptions } from './chat-options.js'
import { serveUntilSignal } from './long-running.js'
import { maskedStore } from './masked-store.js'
import { serveProbes } from './serve-probes.js'

type WorkerConfig = Config<typeof processes.evaluationWorker>

/** Maximum memory for models' answers. */
const HELD_BYTES = 64 << 20
/** Longer than the requests' own time limit, whose error says more. */
const LATER_MS = 5000
/** Where the processors are busy, whoever writes or reads calls goes first: these results may come a little later. */
const NICENESS = 10

/** Runs until a signal; another worker continues unfinished work. */
export function runEvaluationWorker(config: WorkerConfig): Promise<void> {
  setPriority(NICENESS)
  return serveUntilSignal('evaluation-worker', config, async (log, shutdown) => {
    const metrics = new Metrics()
    const options = { ...storeOptions(config, config.clickhouseUrl), caller: service('evaluation-worker') }
    const { store, marks } = await maskedStore(options, config, metrics, shutdown)
    const timeoutMs = config.providerSeconds * 1000
    const allowPrivate = config.allowPrivateAddresses ?? []
    const outbound = new Outbound({ allowPrivate, timeoutMs: timeoutMs + LATER_MS })
    shutdown.add('connections', () => outbound.close())
    // A redirect would send what a call contains to an address that nobody named.
    const scorers = new Outbound({ allowPrivate, timeoutMs, maxRedirects: 0 })
    shutdown.add('scorers', () => scorers.close())
    const secrets = secretsOf(store, config)
    const { redisUrl } = config
    const chat = new Chat(chatOptions(store, config, outbound))
    shutdown.add('chat', () => chat.stop())
    const models = {
      ...{ outbound, chat, timeoutMs, tries: config.evaluationTries },
      patienceMs: config.evaluationPatience * 1000,
      providers: new Providers(latestObject(store), secrets),
      remote: new Remote({ store, secrets, outbound: scorers, hosts: config.remoteScorerHosts }),
      held: new BodyBudget(HELD_BYTES),
    }
    const limits = { jobs: config.evaluationJobs, rows: config.evaluationRows }
    const worker = new EvaluationWorker({ store, marks, redisUrl, log, metrics, models, ...limits })
    const leases = new RedisLeases(redisUrl)
    shutdown.add('leases', () => leases.close())
    // Without an artifact store nothing is trained.
    const preparations =
      config.artifacts &&
      new Preparations({
        ...{ store, leases, redisUrl, log, models, register: new ProjectRegister(store), ...limits },
        ...trainingStorage(config.artifacts, config),
      })
    const metricsPort = await serveProbes(config, metrics, shutdown, {
      store: async () => ((await store.alive()) ? undefined : 'not reachable'),
    })
    chat.start()
    worker.start()
    shutdown.add('worker', () => worker.stop())
    if (preparations) {
      preparations.start()
      shutdown.add('preparations', () => preparations.stop())
    }
    log.info({ metricsPort }, 'ready')
  })
}
