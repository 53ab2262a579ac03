/** Settings of chat as its options. Apart from the services, so that a worker does not load them all. */
import type { ChatOptions } from '../../domain/chat/chat.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'

export type ChatSetting = WaitingSetting | 'chatRequestsPerMinute' | 'chatTokensPerMinute'
type WaitingSetting =
  | 'chatQueue'
  | 'chatQueuePerEntity'
  | 'chatQueuePerKey'
  | 'chatSeconds'
  | 'nodeReturnSeconds'

export type ChatConfig = Pick<Config<typeof processes.trainingApi>, 'redisUrl' | ChatSetting>

/** @param config without limits a minute: there are none */
export function chatOptions(
  store: Store,
  config: Pick<ChatConfig, 'redisUrl' | WaitingSetting> & Partial<ChatConfig>,
): ChatOptions {
  return {
    store,
    redisUrl: config.redisUrl,
    waiting: {
      most: config.chatQueue,
      perEntity: config.chatQueuePerEntity,
      perKey: config.chatQueuePerKey,
    },
    chatSeconds: config.chatSeconds,
    nodeReturnSeconds: config.nodeReturnSeconds,
    requestsPerMinute: config.chatRequestsPerMinute ?? 0,
    tokensPerMinute: config.chatTokensPerMinute ?? 0,
  }
}
