/** The exit status of commands, and the message when one fails. Knows no command. */

import { ConfigError } from '../platform/config/read.js'
import { HeddleError } from '../platform/errors/error.js'

/** A failure that the user can fix; the message says how. No stack is shown. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  constructor(
    message: string,
    readonly status = 1,
  ) {
    super(message)
  }
}

/** What to print for an error, and the status to exit with: 2 for bad configuration or usage, 1 for everything else. */
export function failure(
  error: unknown,
  env: NodeJS.ProcessEnv = process.env,
): { text: string; status: number } {
  if (error instanceof ConfigError) return { text: `heddle: ${error.problems.join('\nheddle: ')}`, status: 2 }
  if (error instanceof CommandError) return { text: `heddle: ${error.message}`, status: error.status }
  const away = storeAway(error, env.CLICKHOUSE_URL)
  if (away !== undefined) return { text: `heddle: ${away}`, status: 1 }
  if (error instanceof Error) return { text: `heddle: ${withCauses(error)}`, status: 1 }
  return { text: `heddle: ${String(error)}`, status: 1 }
}

/** Where no server answers; undefined for other errors. */
function storeAway(error: unknown, url: string | undefined): string | undefined {
  if (!(error instanceof HeddleError) || error.code !== 'STORE_UNAVAILABLE') return undefined
  const { cause } = error
  if (!url || !URL.canParse(url) || !(cause instanceof Error && 'code' in cause)) return undefined
  const { protocol, host } = new URL(url)
  return `ClickHouse at ${protocol}//${host} does not answer (${cause.code}); check CLICKHOUSE_URL, and that the server is up`
}

function withCauses(error: Error): string {
  // The message for callers hides the cause, which the operator needs.
  const messages = error instanceof HeddleError && error.cause instanceof Error ? [] : [error.message]
  for (let at = error.cause; at instanceof Error && messages.length < 4; at = at.cause) {
    if (at.message !== '') messages.push(at.message)
  }
  return [...new Set(messages)].join(': ')
}
