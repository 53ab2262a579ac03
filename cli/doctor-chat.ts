/** What `heddle doctor` says of chat: the queues' Redis, and a model node on this machine. */
import type { Config } from '../common/config/read.js'
import type { processes } from '../common/config/settings.js'
import { localModelServer } from './chat-up.js'
import type { Finding } from './doctor.js'
import { onPath } from './on-path.js'

type ChatConfig = Pick<Config<typeof processes.doctor>, 'chat' | 'redisUrl' | 'nodes'>

export function chatFindings({ chat, redisUrl, nodes }: ChatConfig): Finding[] {
  if (!chat) return [{ name: 'chat', state: 'ok', text: 'off, as HEDDLE_CHAT says' }]
  return [redis(redisUrl), node(nodes)]
}

function redis(url: string | undefined): Finding {
  if (url !== undefined) return { name: 'redis', state: 'ok', text: 'the server at REDIS_URL' }
  const path = onPath('redis-server')
  if (path !== undefined) return { name: 'redis', state: 'ok', text: path }
  const todo = 'run `make redis`, or set REDIS_URL to a server; all but chat works without'
  return { name: 'redis', state: 'warn', text: 'redis-server is not on the PATH', todo }
}

function node(nodes: string | undefined): Finding {
  if (nodes !== undefined) return { name: 'model nodes', state: 'ok', text: nodes }
  if (localModelServer() !== undefined)
    return { name: 'model nodes', state: 'ok', text: 'one on this machine' }
  const todo = 'run scripts/model-server.sh, or name nodes in HEDDLE_NODES; all but chat works without'
  return { name: 'model nodes', state: 'warn', text: 'none is set up', todo }
}
