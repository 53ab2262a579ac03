/** One server for all flows. */
import type { TestProject } from 'vitest/node'
import { RedisProcess } from '../../test/support/redis.js'
import { Server } from '../../test/support/server.js'

declare module 'vitest' {
  export interface ProvidedContext {
    flowPorts: readonly [number, number]
    flowData: string
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // With a queue, the server runs evaluations.
  const redis = await RedisProcess.start()
  const server = await Server.start({
    env: {
      HEDDLE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
      HEDDLE_SECRETS_KEY: 'a key that only the flows have',
      REDIS_URL: redis.url,
    },
  })
  provide('flowPorts', server.ports)
  provide('flowData', server.dataDir)
  return async () => {
    await server.dispose()
    await redis.stop()
  }
}
