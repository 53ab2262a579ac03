/**
 * One server, with a Redis, for all files of a run that only need one to talk to: each test has projects of its own.
 * Runs in vitest's own process, so it outlives the files; starts the server when the first file asks.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import type { Endpoint } from './endpoint.js'
import { RedisProcess } from './redis.js'
import { Server } from './server.js'
import type { Shared } from './shared-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with what makes an {@link Endpoint}. */
    sharedServer: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let redis: RedisProcess | undefined
  let server: Server | undefined
  const start = async () => {
    redis = await RedisProcess.start()
    server = await Server.start({ env: { REDIS_URL: redis.url } })
  }
  let started: Promise<void> | undefined
  const shared = async (): Promise<Shared> => {
    started ??= start()
    await started
    if (server!.ended) throw new Error(`the shared server has ended\n${server!.output}`)
    return { ports: server!.ports, env: server!.env }
  }
  const broker = createServer((_, response) => {
    shared().then(
      (found) => response.end(JSON.stringify(found)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(broker, 'listening')
  project.provide('sharedServer', `http://127.0.0.1:${(broker.address() as AddressInfo).port}`)
  return async () => {
    broker.close()
    broker.closeAllConnections()
    await started?.catch(() => undefined)
    await server?.dispose()
    await redis?.stop()
  }
}
