/**
 * For tests alone: connections to a real engine. Most files share one engine (`shared-engine-setup.ts` starts it), each with
 * databases of its own; a file that looks at the engine as a whole, or fills it, starts its own.
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
  /** Of connections to no database in particular. */
  options: StoreOptions
  /** Makes a new, empty database and connects to it. */
  database(name: string): Promise<Store>
  /** Makes one with the shipped tables. */
  migrated(name: string): Promise<Store>
  /** Of more connections to that database. */
  optionsOf(name: string): StoreOptions
  /** Drops the databases and closes their connections; ends the engine if it is the file's own. */
  stop(): Promise<void>
}

type Login = { url: string; username?: string; password?: string }

/** How to reach the engine of the run, and the database there that has the shipped tables. */
export type SharedEngine = Login & { shipped: string }

/** Connects to the engine that all files of the run share. */
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

/** Starts an engine for this file alone. Its process is the built one, so `make build` comes first. */
export async function startTestEngine(): Promise<TestEngine> {
  const dataDir = mkdtempSync(join(dataFolder(), 'heddle-unit-'))
  const { url, username, password, stop } = await startEmbedded({ dataDir, sessions: 6 })
  return connected({ url, username, password }, migrate, async () => {
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
}

/** Makes the tables of the database `from`, as they are after every migration, in a fraction of the migrations' time. */
async function copyTables(from: string, store: Store): Promise<void> {
  const tables = await store.rows<{ text: string }>(
    sql`SELECT create_table_query AS text FROM system.tables WHERE database = ${bind.string(from)}`,
  )
  // One after the other: the engine refuses statements beyond a number, and other files of the run send some, too.
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
