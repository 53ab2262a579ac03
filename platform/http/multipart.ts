/**
 * Parses `multipart/form-data` bodies (RFC 7578) that are whole in memory: parts are slices, nothing is copied. Strict
 * about structure, so that a truncated body is never taken for a shorter file.
 */
import { bufferOf } from '../bytes/buffer-of.js'
import { errors } from '../errors/catalog.js'

/** One field of a form. */
export interface Part {
  name: string
  /** undefined: a plain field */
  filename: string | undefined
  content: Uint8Array
}

/** A form as received. */
export interface Form {
  contentType: string
  bytes: Uint8Array
}

/** Why a form is invalid. */
export class FormError extends Error {
  override readonly name = 'FormError'
}

const MOST_PARTS = 64
const MOST_HEADER_BYTES = 16_384
const CRLF = Buffer.from('\r\n')
const END_OF_HEADERS = Buffer.from('\r\n\r\n')

/** Whether a `content-type` header says that the body is a form. */
export const isForm = (contentType: string): boolean => /^\s*multipart\/form-data\b/i.test(contentType)

/** The last field of each name. @throws `BAD_MEDIA_TYPE` (415), `BAD_BODY` (400) */
export function partsOf({ contentType, bytes }: Form): Map<string, Part> {
  if (!isForm(contentType)) throw errors.badMediaType(contentType.slice(0, 100))
  try {
    return new Map(parseMultipart(bytes, boundaryOf(contentType)).map((part) => [part.name, part]))
  } catch (error) {
    if (error instanceof FormError) throw errors.badBody(error.message)
    throw error
  }
}

/** The text of a plain field. */
export function textOf(part: Part | undefined): string | undefined {
  return part && Buffer.from(part.content).toString('utf8')
}

/** The boundary in a `content-type` header. @throws FormError */
export function boundaryOf(contentType: string): string {
  const [type = '', ...rest] = contentType.split(';')
  if (type.trim().toLowerCase() !== 'multipart/form-data')
    throw new FormError('the content type is not multipart/form-data')
  const boundary = parameters(rest.join(';')).get('boundary')
  if (boundary === undefined || boundary === '' || boundary.length > 200)
    throw new FormError('the content type has no boundary of 1 to 200 characters')
  return boundary
}

/** The fields of the form, in order. @throws FormError @param most parts that it may have */
export function parseMultipart(body: Uint8Array, boundary: string, most = MOST_PARTS): Part[] {
  const buf = bufferOf(body)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const parts: Part[] = []
  // The first delimiter may be at the very start, without a line break before it.
  let at = buf.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2)) ? -2 : buf.indexOf(delimiter)
  if (at === -1) throw new FormError('its boundary is not in it')
  for (;;) {
    const line = endOfDelimiter(buf, at + delimiter.length)
    if (line === 'last') return parts
    if (parts.length === most) throw new FormError(`it has more than ${most} parts`)
    const next = buf.indexOf(delimiter, line - 2)
    if (next === -1) throw new FormError('it is cut off: the closing boundary is missing')
    parts.push(partOf(buf, line, next))
    at = next
  }
}

/** Where the part after a delimiter starts, or `last`. */
function endOfDelimiter(buf: Buffer, at: number): number | 'last' {
  let p = at
  const last = buf[p] === 0x2d && buf[p + 1] === 0x2d
  if (last) return 'last'
  while (buf[p] === 0x20 || buf[p] === 0x09) p++
  if (buf[p] !== 0x0d || buf[p + 1] !== 0x0a)
    throw new FormError(
      p >= buf.length ? 'it is cut off in a boundary' : 'a boundary is not followed by a line break',
    )
  return p + 2
}

function partOf(buf: Buffer, from: number, to: number): Part {
  // A part without headers starts with the empty line itself.
  const bare = buf.subarray(from, from + 2).equals(CRLF)
  const end = bare ? from - 2 : buf.indexOf(END_OF_HEADERS, from)
  if (end === -1 || end + 4 > to + 2) throw new FormError('a part has no empty line after its headers')
  if (end - from > MOST_HEADER_BYTES) throw new FormError('the headers of a part are too long')
  const headers = bare ? [] : buf.toString('utf8', from, end).split('\r\n')
  const disposition = headers.find((line) => /^content-disposition[ \t]*:/i.test(line))
  const [kind = '', ...rest] = (disposition ?? '').slice((disposition ?? '').indexOf(':') + 1).split(';')
  const fields = parameters(rest.join(';'))
  const name = fields.get('name')
  if (kind.trim().toLowerCase() !== 'form-data' || name === undefined)
    throw new FormError('a part has no name')
  if (headers.some((line) => /^content-transfer-encoding[ \t]*:[ \t]*(base64|quoted-printable)/i.test(line)))
    throw new FormError('a part has a transfer encoding, which forms must not have')
  return {
    name,
    filename: extended(fields.get('filename*')) ?? fields.get('filename'),
    content: buf.subarray(end + 4, Math.max(end + 4, to)),
  }
}

const PARAMETER = /\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))\s*(?:;|$)/gy

/** `; a=b; c="d\"e"` by lower-case names. Browsers write quotes inside as `%22`, others as `\"`. */
function parameters(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER)) {
    const value = quoted === undefined ? plain.trim() : quoted.replaceAll(/\\(["\\])/g, '$1')
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), value.replaceAll('%22', '"'))
  }
  return found
}

/** Decodes `UTF-8''na%20me` (RFC 8187); undefined for any other form. */
function extended(text: string | undefined): string | undefined {
  const match = text === undefined ? null : /^utf-8'[^']*'(.*)$/i.exec(text)
  if (!match) return undefined
  try {
    return decodeURIComponent(match[1]!)
  } catch {
    return undefined
  }
}
