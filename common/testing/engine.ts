/** For tests alone: a real engine in a folder of its own, and connections to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../clickhouse-embedded/start.js'
import { Store, type StoreOptions } from '../clickhouse/store.js'

export interface TestEngine {
  options: StoreOptions
  pid: number
  /** connections to a new, empty database */
  database(name: string): Promise<Store>
  stop(): Promise<void>
}

/** Starts it. The engine's process is the built one, so `make build` comes first. */
export async function startTestEngine(): Promise<TestEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-unit-'))
  const engine = await startEmbedded({ dataDir, sessions: 6 })
  const { url, username, password, pid } = engine
  const options = { url, username, password }
  const opened: Store[] = []
  return {
    options,
    pid,
    async database(name) {
      const first = new Store({ ...options, connections: 1 })
      await first.runTrusted(`CREATE DATABASE ${name}`)
      const store = new Store({ ...options, database: name })
      opened.push(first, store)
      return store
    },
    async stop() {
      await Promise.all(opened.map((store) => store.close()))
      await engine.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
