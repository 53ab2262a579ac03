/** The `Range` header of a request for bytes (RFC 9110 §14). Pure. */

import type { ByteRange } from '../../platform/artifacts/artifacts.js'

/**
 * The range of `size` bytes that `header` requests, or `unsatisfiable`. Undefined means everything: there is no header,
 * or it has another unit, several ranges or a syntax error, which a server may ignore.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [, first = '', last = ''] = match
  if (first === '') {
    const count = Math.min(Number(last), size)
    return count === 0 ? 'unsatisfiable' : { from: size - count, to: size }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return undefined
  if (from >= size) return 'unsatisfiable'
  return { from, to: last === '' ? size : Math.min(size, Number(last) + 1) }
}
