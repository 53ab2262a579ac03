/**
 * Serialises statement parameters, once, as ClickHouse reads them: into the URL or, if they are long, into the body.
 * The client would serialise them character by character and more than once.
 */
import { randomUUID } from 'node:crypto'
import { type ClickHouseSettings, TupleParam } from '@clickhouse/client'
import { writtenBytes } from './pieces.js'

/** Bytes of the URL that values may take so that every proxy accepts it. */
export const SHORT = 4096
/** What a ClickHouse server itself accepts; its limit for a URL is a MiB. */
const LONG = 900 << 10

const SPECIAL = /[\t\n\r'\\]/
const SPECIALS = /[\t\n\r'\\]/g
const ESCAPED: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', "'": "\\'", '\\': '\\\\' }

/** A bound value as ClickHouse reads it. */
export function written(value: unknown): string {
  return typeof value === 'string' ? escaped(value) : element(value)
}

/** A value inside a list or a tuple, where strings are quoted. */
function element(value: unknown): string {
  if (typeof value === 'string') return `'${escaped(value)}'`
  if (Array.isArray(value)) return `[${value.map(element).join(',')}]`
  if (value instanceof TupleParam) return `(${value.values.map(element).join(',')})`
  if (value === Number.POSITIVE_INFINITY) return '+inf'
  if (value === Number.NEGATIVE_INFINITY) return '-inf'
  if (typeof value === 'number') return Number.isNaN(value) ? 'nan' : String(value)
  throw new Error(`not a parameter value: ${typeof value}`)
}

function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replaceAll(SPECIALS, (letter) => ESCAPED[letter]!) : text
}

/** The statement and its values, as passed to the client. */
interface Sent {
  query: string
  settings: ClickHouseSettings
  headers?: Record<string, string>
}

/**
 * `query` with the values of its parameters.
 * @param longest bytes of the URL for the values; longer ones go into the body as form fields
 */
export function withParameters(
  query: string,
  texts: Readonly<Record<string, string>>,
  settings: ClickHouseSettings,
  longest = LONG,
): Sent {
  const named = Object.entries(texts).map(([name, text]) => [`param_${name}`, text] as const)
  let length = 0
  for (const [, text] of named) length += text.length
  if (length <= longest) for (const [, text] of named) length += writtenBytes(text) - text.length
  if (length <= longest) return { query, settings: { ...settings, ...Object.fromEntries(named) } }
  // It can't be guessed, so no value can end its field.
  const boundary = `heddle-${randomUUID()}`
  const fields = [['query', query] as const, ...named].map(
    ([name, text]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  )
  return {
    query: `${fields.join('')}--${boundary}--\r\n`,
    settings,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
