/** The parameters of a request: what belongs to the protocol, what is a setting, what is bound. Pure. */
import { randomUUID } from 'node:crypto'
import { failure } from '../engine/failure.js'
import { isSettingName } from '../sql/literal.js'

export type Parameters = {
  query: string | undefined
  queryId: string
  database: string | undefined
  defaultFormat: string | undefined
  session: { id: string; timeoutMs: number } | undefined
  /** The caller, where several share the server (`quota_key`). */
  caller: string | undefined
  /** The client asked for a compressed response, if it accepts one. */
  compress: boolean
  compressionLevel: number
  /** Nothing is sent before the query has ended (as far as the buffer goes). */
  waitEndOfQuery: boolean
  settings: [name: string, value: string][]
  bound: [name: string, value: string][]
}

const protocolNames = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'session_timeout',
  'session_check',
  'user',
  'password',
  'quota_key',
  'enable_http_compression',
  'http_zlib_compression_level',
  'http_response_buffer_size',
  'buffer_size',
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_write_exception_in_output_format',
  'cancel_http_readonly_queries_on_client_close',
  'http_native_compression_disable_checksumming_on_decompress',
  'stacktrace',
  'add_http_cors_header',
  'client_protocol_version',
  'log_comment',
])
const unsupported = new Set(['compress', 'decompress', 'role'])
const maxSessionTimeout = 3600
const defaultSessionTimeout = 60
const parameterName = /^[A-Za-z0-9_]+$/

/**
 * Sorts the parameters of a request. The last of several with one name counts.
 * @throws QueryFailure for names that can be neither, and for what this front doesn't do.
 */
export function readParameters(params: Map<string, string>, isGet: boolean): Parameters {
  const settings: [string, string][] = []
  const bound: [string, string][] = []
  for (const [name, value] of params) {
    if (name.startsWith('param_')) {
      const own = name.slice('param_'.length)
      if (!parameterName.test(own))
        throw failure(36, 'BAD_ARGUMENTS', `Bad name of a query parameter: ${own}`)
      bound.push([own, value])
    } else if (unsupported.has(name)) {
      if (value !== '' && value !== '0') {
        throw failure(48, 'NOT_IMPLEMENTED', `The parameter ${name} is not supported by the embedded engine`)
      }
    } else if (name === 'dialect') {
      if (value !== 'clickhouse')
        throw failure(48, 'NOT_IMPLEMENTED', 'Only the clickhouse dialect is supported')
    } else if (!protocolNames.has(name)) {
      if (!isSettingName(name))
        throw failure(115, 'UNKNOWN_SETTING', `Unknown setting '${name.slice(0, 100)}'`)
      settings.push([name, value])
    }
  }
  // As in ClickHouse, a GET can't change data, but may set settings.
  if (isGet && !params.has('readonly')) settings.push(['readonly', '2'])
  const sessionId = params.get('session_id')
  return {
    query: params.get('query'),
    queryId: params.get('query_id') || randomUUID(),
    database: params.get('database') || undefined,
    defaultFormat: params.get('default_format') || undefined,
    session: sessionId ? { id: sessionId, timeoutMs: sessionTimeout(params) * 1000 } : undefined,
    caller: params.get('quota_key') || undefined,
    compress: isOn(params.get('enable_http_compression')),
    compressionLevel: clamp(Number(params.get('http_zlib_compression_level') ?? 3), 1, 9),
    waitEndOfQuery: isOn(params.get('wait_end_of_query')),
    settings,
    bound,
  }
}

function sessionTimeout(params: Map<string, string>): number {
  const text = params.get('session_timeout')
  if (text === undefined) return defaultSessionTimeout
  const seconds = Number(text)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxSessionTimeout) {
    throw failure(374, 'INVALID_SESSION_TIMEOUT', `session_timeout must be 1 to ${maxSessionTimeout} seconds`)
  }
  return seconds
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '0' && value !== 'false' && value !== ''
}

function clamp(value: number, low: number, high: number): number {
  return Number.isFinite(value) ? Math.min(high, Math.max(low, Math.trunc(value))) : low
}
