/**
 * One server of a kind for all files of a run that only need one to talk to: each test has projects of its own.
 * Runs in vitest's own process, so it outlives the files; starts a server when the first file asks for its kind.
 */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ChatServer } from './chat-server.js'
import { demoEmbedder, demoModel } from './demo-model.js'
import { Forks } from './forks.js'
import { freePorts } from './ports.js'
import { RedisProcess } from './redis.js'
import { emptyFolder, Server, SHARED_SERVERS } from './server.js'
import type { Shared, SharedChat } from './shared-server.js'

interface Running {
  told: Shared | SharedChat | string
  /** Why it can't be used any more. */
  over(): string | undefined
  stop(): Promise<void>
}

const toldOf = ({ ports, env, pid }: Server): Shared => ({ ports, env, pid })
const isOver = (server: Server) => () =>
  server.ended ? `the shared server has ended\n${server.output}` : undefined

const KINDS: Record<string, (place: string) => Promise<Running>> = {
  '/folder': async () => {
    const dataDir = emptyFolder()
    const server = await Server.start({ dataDir })
    await server.stop()
    return { told: dataDir, over: () => undefined, stop: async () => rmSync(dataDir, { recursive: true }) }
  },
  '/forks': async (place) => {
    const forks = await Forks.start(place)
    return { told: forks.socket, over: () => forks.over, stop: () => forks.stop() }
  },
  '/server': async () => {
    const redis = await RedisProcess.start()
    const [grpc] = await freePorts(1)
    const server = await Server.start({ env: { REDIS_URL: redis.url, HEDDLE_OTLP_GRPC_PORT: `${grpc}` } })
    const stop = async () => {
      await server.dispose()
      await redis.stop()
    }
    return { told: toldOf(server), over: isOver(server), stop }
  },
  '/chat': async () => {
    const [grpc] = await freePorts(1)
    const chat = await ChatServer.start({
      env: {
        HEDDLE_OTLP_GRPC_PORT: `${grpc}`,
        HEDDLE_MODEL: `${demoModel()},${demoEmbedder()}`,
        HEDDLE_SECRETS_KEY: 'the key of secrets',
        HEDDLE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
        // A worker that is killed has a row in its hands, and others to come.
        HEDDLE_EVALUATION_ROWS: '1',
        // A node without priorities refuses them.
        HEDDLE_NODE_SCHEDULING: 'fcfs',
      },
    })
    const { server, url } = chat
    return { told: { ...toldOf(server), chatUrl: url }, over: isOver(server), stop: () => chat.dispose() }
  },
}

export default async function setup(): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<Running>>()
  const asked = async (what: string): Promise<Running['told']> => {
    const [kind = '', place = ''] = what.split('?')
    if (!started.has(what)) started.set(what, KINDS[kind]!(place))
    const { told, over } = await started.get(what)!
    const why = over()
    if (why !== undefined) throw new Error(why)
    return told
  }
  const broker = createServer((request, response) => {
    asked(request.url!).then(
      (found) => response.end(JSON.stringify(found)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(broker, 'listening')
  process.env[SHARED_SERVERS] = `http://127.0.0.1:${(broker.address() as AddressInfo).port}`
  return async () => {
    broker.close()
    broker.closeAllConnections()
    for (const one of started.values())
      await one.then(
        ({ stop }) => stop(),
        () => undefined,
      )
  }
}
