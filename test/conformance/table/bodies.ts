/** Bodies of any operation that are not its JSON, and compressed ones. */
import { gzipSync } from 'node:zlib'
import { nameOf, type Operation, type Sent } from './operation.js'
import { table } from './table.js'

/** Takes nothing but its path. */
const BODILESS = '/v2/{entity}/{project}/predictions/{prediction_id}/finish'
const taking = new Set(
  table.filter(({ method, path }) => /^P(OS|U)T$/.test(method) && path !== BODILESS).map(nameOf),
)
/** Without any body: an export of no spans, a run that ends without a summary. */
const EMPTY_ALLOWED = /^\/otel\/|\/finish$/

/** 200 MiB of blanks. */
const BOMB = gzipSync(Buffer.alloc(200 << 20, 0x20))

/** Whether an operation of the table reads a body. */
export const takesBody = (row: Operation): boolean => taking.has(nameOf(row))

/** So deep: `[[[]]]`. */
export const nested = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + close.repeat(depth)

/** The same request with its body compressed. */
export function compressed(sent: Sent): Sent {
  return { ...sent, body: gzipSync(bytesOf(sent)), headers: { ...sent.headers, 'content-encoding': 'gzip' } }
}

/** Bodies in place of a valid one, each with the status of its refusal if that is always the same. */
export function wrongBodies(row: Operation, valid: Sent): { why: string; sent: Sent; status?: number }[] {
  if (!takesBody(row)) return []
  const texts = [
    ...(EMPTY_ALLOWED.test(row.path) ? [] : ['']),
    '{',
    'null',
    '[]',
    '"text"',
    '5',
    '\u0000',
    '\ufeff{}',
    nested(200, '[', ']'),
    nested(100_000, '{"a":', '}'),
    Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  ]
  const encoded = (encoding: string, body: Uint8Array): Sent => ({
    ...valid,
    body,
    headers: { ...valid.headers, 'content-encoding': encoding },
  })
  return [
    ...texts.map((body) => ({ why: body.slice(0, 20).toString(), sent: { ...valid, body } })),
    { why: 'inflated too large', sent: encoded('gzip', BOMB), status: 413 },
    { why: 'not compressed', sent: encoded('gzip', bytesOf(valid)), status: 400 },
    { why: 'another compression', sent: encoded('br', bytesOf(valid)), status: 415 },
  ]
}

function bytesOf({ body }: Sent): Uint8Array {
  return body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body ?? {}))
}
