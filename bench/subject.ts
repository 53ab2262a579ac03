/** The server under measurement: a process of its own over a folder of its own, as a user would start it. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Server } from '../test/support/server.js'

/** The folder that holds package.json. */
export const root = findRoot(import.meta.dirname)

/** Starts the built server; `CLICKHOUSE_URL` and all `HEDDLE_*` of the environment count. */
export function startSubject(): Promise<Server> {
  return Server.start({ env: { HEDDLE_LOG_LEVEL: 'warn' } })
}

/** The key as the header that all loads send. */
export function authorization(server: Server): Record<string, string> {
  return { authorization: `Bearer ${server.key}` }
}

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}
