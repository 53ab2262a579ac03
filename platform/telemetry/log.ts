/** Structured logs on standard error: one line per event, never a key, never a body. */
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { HeddleError } from '../errors/error.js'
import type { Finished } from '../http/app.js'
import { resultOf } from '../http/audit.js'
import { textLine } from './text-line.js'

export type Log = Logger

export interface LogOptions {
  level: string
  /** `auto`: text on a terminal */
  format: 'auto' | 'json' | 'text'
  /** the writing role: up, ingest, query, … */
  role: string
  /** the destination; default standard error */
  to?: DestinationStream
}

/** Field names that may hold a secret; their values are never written. */
const SECRETS = ['key', 'apiKey', 'password', 'authorization', 'headers', 'body', 'env']

/** Opens the log of one process. */
export function openLog({ level, format, role, to }: LogOptions): Log {
  const text = format === 'text' || (format === 'auto' && process.stderr.isTTY)
  // Synchronous: a dying process must write its last lines, and there are few lines.
  const out = to ?? destination({ fd: 2, sync: true })
  return pino(
    {
      level,
      base: { role },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
    },
    text ? { write: (line) => out.write(textLine(line)) } : out,
  )
}

/** A hook for `App`: logs our failures and slow requests, and everything else at level debug. */
export function logExchanges(log: Log, slowSeconds: number): (exchange: Finished) => void {
  return ({ spec, status: sent, seconds, bytesIn, bytesOut, requestId, error }) => {
    // A browser that was redirected to a page about the error got another status.
    const status = sent < 400 && error !== undefined ? resultOf(error).status : sent
    const ms = Math.round(seconds * 1000)
    const line = { requestId, route: spec.id, status, ms, bytesIn, bytesOut }
    if (status >= 500) {
      const code = error instanceof HeddleError ? error.code : 'INTERNAL'
      // A busy or absent store is expected; only unforeseen errors are logged with a stack.
      const unforeseen = status === 500 ? error : undefined
      log[status === 500 ? 'error' : 'warn'](
        { ...line, code, causes: causesOf(error), err: unforeseen },
        'request failed',
      )
    } else if (seconds >= slowSeconds) log.warn(line, 'slow request')
    else log.debug(line, 'request')
  }
}

/** The messages of an error and its causes, outermost first. */
export function causesOf(error: unknown): string[] {
  const messages: string[] = []
  for (let at = error; at instanceof Error && messages.length < 5; at = at.cause) messages.push(at.message)
  return messages
}
