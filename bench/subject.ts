/** The measured server: its own process and folder, started as a user would. */
import { Server } from '../test/support/server.js'

/** Starts the built server for `work`; `CLICKHOUSE_URL` and all `HEDDLE_*` of the environment count. */
export async function withSubject<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const server = await Server.start({ env: { HEDDLE_LOG_LEVEL: 'warn' } })
  try {
    return await work(server)
  } finally {
    await server.dispose()
  }
}

/** The key as the header that all loads send. */
export function authorization(server: Server): Record<string, string> {
  return { authorization: `Bearer ${server.key}` }
}

/** Logs the progress of a run. */
export function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}
