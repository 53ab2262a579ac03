/**
 * The store of a short-lived command: the configured server, else the engine of a running `heddle up`, else its own
 * engine.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { startAboveStored } from '../../domain/versions/stored.js'
import type { Store, StoreOptions } from '../../platform/clickhouse/store.js'
import type { Config } from '../../platform/config/read.js'
import type { processes } from '../../platform/config/settings.js'
import { openLog } from '../../platform/telemetry/log.js'
import { CommandError } from '../command.js'
import { DataFolder } from '../up/data-folder.js'
import { Engine } from '../up/engine.js'
import { prepareDatabase } from './database.js'
import { answering, storeOptions, usingStore } from './store-options.js'

type Tool = Config<typeof processes.tool>

/** Runs `work` with how to connect. */
export async function withStoreOptions<T>(
  config: Tool,
  work: (options: StoreOptions) => Promise<T>,
): Promise<T> {
  if (config.clickhouseUrl !== undefined) return work(storeOptions(config, config.clickhouseUrl))
  const data = new DataFolder(config.dataDir)
  const running = await answering(data.readEngineAddress())
  if (running) return work(running)
  const log = openLog({ level: 'error', format: 'auto', role: 'tool' })
  const engine = await Engine.start(data, log, config)
  try {
    return await work(engine.address)
  } finally {
    await engine.stop()
  }
}

/** @throws CommandError without a store: a new one in the wrong folder would have no keys, projects and calls */
export function checkStoreExists({ clickhouseUrl, dataDir }: Tool): void {
  if (clickhouseUrl !== undefined || existsSync(DataFolder.existing(dataDir)?.engine ?? '')) return
  throw new CommandError(
    `no store in ${resolve(dataDir)}: run this in the folder of \`heddle up\`, or set HEDDLE_DATA_DIR; \`heddle migrate\` makes a new store`,
    2,
  )
}

/** Runs `work` with a store whose tables are up to date. @throws CommandError if there is none */
export async function withStore<T>(config: Tool, work: (store: Store) => Promise<T>): Promise<T> {
  checkStoreExists(config)
  return withStoreOptions(config, async (options) => {
    // The operator migrates a server's tables; an embedded engine's are migrated here.
    if (config.clickhouseUrl === undefined) await prepareDatabase(options, {})
    return usingStore({ ...options, connections: 4 }, async (store) => {
      await startAboveStored(store)
      return work(store)
    })
  })
}
