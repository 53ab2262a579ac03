/** The interface of training and chat, made from the settings of a process. */
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { RedisLeases } from '../../platform/leases/redis.js'
import { Outbound } from '../../platform/outbound/fetch.js'
import { createTrainingApi } from '../../training-api/training-api.js'
import { type S3Config, trainingStorage } from './artifacts.js'
import { type ChatConfig, chatOptions } from './chat-options.js'
import type { Parts, Service } from './service.js'

type TrainingConfig = ChatConfig &
  S3Config &
  Pick<
    Config<typeof processes.trainingApi>,
    'allowPrivateAddresses' | 'artifacts' | 'trainingQueue' | 'trainingData' | 'batchQueue' | 'batchFiles'
  >

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
    ...{ dataLimit: config.trainingData, batchLimit: config.batchQueue, fileLimit: config.batchFiles },
    ...chatOptions(store, config, outbound),
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
