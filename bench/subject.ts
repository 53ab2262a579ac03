/** The server under measurement: a process of its own over a folder of its own, as a user would start it. */
import { Server } from '../test/support/server.js'

/** Starts the built server; `CLICKHOUSE_URL` and all `HEDDLE_*` of the environment count. */
export function startSubject(): Promise<Server> {
  return Server.start({ env: { HEDDLE_LOG_LEVEL: 'warn' } })
}

/** The key as the header that all loads send. */
export function authorization(server: Server): Record<string, string> {
  return { authorization: `Bearer ${server.key}` }
}
