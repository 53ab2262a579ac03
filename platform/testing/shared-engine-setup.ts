/**
 * For tests only: one engine for all files of a run. Runs in vitest's own process, so it outlives the files, and starts
 * the engine on first use, so runs without such files need no build. CLICKHOUSE_URL names a server to use instead.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Embedded, startEmbedded } from '../../clickhouse-embedded/start.js'
import { dataFolder } from '../../test/support/folder.js'
import { migrate } from '../clickhouse/migrate.js'
import { Store } from '../clickhouse/store.js'
import type { SharedEngine } from './engine.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with a {@link SharedEngine}. */
    sharedEngine: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.CLICKHOUSE_URL
  const dataDir = mkdtempSync(join(dataFolder(), 'heddle-unit-'))
  const shipped = `shipped_${randomBytes(6).toString('hex')}`
  let started: Embedded | undefined
  const start = async (): Promise<SharedEngine> => {
    if (given === undefined) started = await startEmbedded({ dataDir })
    const { url, ...login } = started
      ? { url: started.url, username: started.username, password: started.password }
      : { url: given! }
    const admin = new Store({ url, ...login })
    await admin.runTrusted(`CREATE DATABASE ${shipped}`)
    await admin.close()
    const store = new Store({ url, ...login, database: shipped })
    await migrate(store)
    await store.close()
    return { url, ...login, shipped }
  }
  let engine: Promise<SharedEngine> | undefined
  const server = createServer((_, response) => {
    engine ??= start()
    engine.then(
      (found) => response.end(JSON.stringify(found)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  project.provide('sharedEngine', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    await engine?.catch(() => undefined)
    await started?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
