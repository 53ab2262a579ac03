/** Checks chat for `heddle doctor`: the queues' Redis, and a model node on this machine. */
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { localModelServer, modelServerHint } from '../up/chat-up.js'
import { onPath } from '../up/on-path.js'
import { runningRedis } from '../up/redis-child.js'
import type { Finding } from './finding.js'
import { redisFindings } from './redis.js'

type ChatConfig = Pick<
  Config<typeof processes.doctor>,
  'chat' | 'redisUrl' | 'nodes' | 'trainNodes' | 'dataDir'
>

/** Checks the Redis if there is one; else whether `heddle up` could start one here. */
export async function chatFindings(config: ChatConfig): Promise<Finding[]> {
  const { chat, redisUrl, nodes } = config
  if (redisUrl !== undefined) return redisFindings(redisUrl, 'server at REDIS_URL', config)
  if (!chat) return [{ name: 'chat', state: 'ok', text: 'off (HEDDLE_CHAT)' }]
  const own = runningRedis(config.dataDir)
  if (own !== undefined) {
    const findings = await redisFindings(own, 'of a running `heddle up`', config)
    // The file remains after `heddle up` has ended.
    if (findings.length > 1 || findings[0]?.state !== 'fail') return findings
  }
  return [redis(), node(nodes)]
}

function redis(): Finding {
  const path = onPath('redis-server')
  if (path !== undefined) return { name: 'redis', state: 'ok', text: path }
  const todo =
    "install it with your system's package manager, or set REDIS_URL; only chat and training need it"
  return { name: 'redis', state: 'warn', text: 'redis-server is not on the PATH', todo }
}

function node(nodes: string | undefined): Finding {
  if (nodes !== undefined) return { name: 'model nodes', state: 'ok', text: nodes }
  if (localModelServer() !== undefined)
    return { name: 'model nodes', state: 'ok', text: 'one on this machine' }
  const todo = `${modelServerHint()}, or set HEDDLE_NODES; only chat and training need it`
  return { name: 'model nodes', state: 'warn', text: 'none set up', todo }
}
