/**
 * For tests only: connections to a real engine. Most files share one engine (started by `shared-engine-setup.ts`) and
 * have databases of their own; a file that inspects or fills the whole engine starts its own.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { startEmbedded } from '../../clickhouse-embedded/start.js'
import { dataFolder } from '../../test/support/folder.js'
import { migrate } from '../clickhouse/migrate.js'
import { bind, sql } from '../clickhouse/sql.js'
import { Store, type StoreOptions } from '../clickhouse/store.js'

export interface TestEngine {
  /** Options for connecting without a database. */
  options: StoreOptions
  /** Creates an empty database and connects to it. */
  database(name: string): Promise<Store>
  /** Creates a database with the shipped tables. */
  migrated(name: string): Promise<Store>
  /** Options for further connections to that database. */
  optionsOf(name: string): StoreOptions
  /** Drops the databases and closes their connections; stops the engine if the file started it. */
  stop(): Promise<void>
}

type Login = { url: string; username?: string; password?: string }

/** The login of the shared engine, and its database with the shipped tables. */
export type SharedEngine = Login & { shipped: string }

/** Connects to the engine that all test files share. */
export async function sharedTestEngine(): Promise<TestEngine> {
  const answer = await fetch(inject('sharedEngine'))
  if (!answer.ok) throw new Error(await answer.text())
  const { shipped, ...login } = (await answer.json()) as SharedEngine
  return connected(
    login,
    (store) => copyTables(shipped, store),
    async () => undefined,
  )
}

/** Starts an engine for this file only. It runs the built process, so run `make build` first. */
export async function startTestEngine(): Promise<TestEngine> {
  const dataDir = mkdtempSync(join(dataFolder(), 'heddle-unit-'))
  const { url, username, password, stop } = await startEmbedded({ dataDir, sessions: 6 })
  return connected({ url, username, password }, migrate, async () => {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
}

/** Copies the migrated tables of database `from`, in a fraction of the time that migrations take. */
async function copyTables(from: string, store: Store): Promise<void> {
  const tables = await store.rows<{ text: string }>(
    sql`SELECT create_table_query AS text FROM system.tables WHERE database = ${bind.string(from)}`,
  )
  // One after the other: the engine limits concurrent statements, and other test files send some too.
  for (const { text } of tables) await store.runTrusted(text.replaceAll(`${from}.`, ''))
  await store.runTrusted(`INSERT INTO migrations SELECT * FROM ${from}.migrations`)
}

function connected(
  options: Login,
  fill: (store: Store) => Promise<unknown>,
  end: () => Promise<void>,
): TestEngine {
  const suffix = randomBytes(6).toString('hex')
  const admin = new Store({ ...options, connections: 2 })
  const opened = new Map<string, Store>()
  const optionsOf = (name: string) => ({ ...options, database: `${name}_${suffix}` })
  const database = async (name: string) => {
    const own = optionsOf(name)
    await admin.runTrusted(`CREATE DATABASE ${own.database}`)
    const store = new Store(own)
    opened.set(own.database, store)
    return store
  }
  return {
    options,
    optionsOf,
    database,
    async migrated(name) {
      const store = await database(name)
      await fill(store)
      return store
    },
    async stop() {
      await Promise.all([...opened.values()].map((store) => store.close()))
      for (const name of opened.keys()) await admin.runTrusted(`DROP DATABASE ${name}`)
      await admin.close()
      await end()
    },
  }
}
