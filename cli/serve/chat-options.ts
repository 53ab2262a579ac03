/** Settings of chat as its options. Apart from the services, so that a worker does not load them all. */
import type { ChatOptions } from '../../domain/chat/chat.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import type { Outbound } from '../../platform/outbound/fetch.js'

export type ChatSetting = WaitingSetting | 'chatRequestsPerMinute' | 'chatTokensPerMinute'
type WaitingSetting =
  | 'chatQueue'
  | 'chatQueuePerEntity'
  | 'chatQueuePerKey'
  | 'chatSeconds'
  | 'nodeReturnSeconds'
  | 'chatImages'
  | 'chatImageBytes'
  | 'chatImagePixels'
  | 'chatImageAddresses'

export type ChatConfig = Pick<Config<typeof processes.trainingApi>, 'redisUrl' | ChatSetting>

/** @param config without limits a minute: there are none @param outbound fetches images, where that is allowed */
export function chatOptions(
  store: Store,
  config: Pick<ChatConfig, 'redisUrl' | WaitingSetting> & Partial<ChatConfig>,
  outbound?: Outbound,
): ChatOptions {
  return {
    store,
    redisUrl: config.redisUrl,
    waiting: {
      most: config.chatQueue,
      perEntity: config.chatQueuePerEntity,
      perKey: config.chatQueuePerKey,
    },
    images: {
      most: config.chatImages,
      bytes: config.chatImageBytes,
      pixels: config.chatImagePixels,
      outbound: config.chatImageAddresses ? outbound : undefined,
    },
    chatSeconds: config.chatSeconds,
    nodeReturnSeconds: config.nodeReturnSeconds,
    requestsPerMinute: config.chatRequestsPerMinute ?? 0,
    tokensPerMinute: config.chatTokensPerMinute ?? 0,
  }
}
