/** Reads the fields of a small `multipart/form-data` body. Pure; files and nesting are not its business. */
import { failure } from '../engine/failure.js'

/** The boundary that a `Content-Type` names; undefined where the body isn't multipart. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const match = /^multipart\/form-data\s*;.*?boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/is.exec(
    contentType ?? '',
  )
  return match?.[1] ?? match?.[2]
}

/**
 * @returns name and value of each field, in order.
 * @throws QueryFailure where the body isn't well-formed.
 */
export function readFields(body: Buffer, boundary: string): [name: string, value: string][] {
  const fields: [string, string][] = []
  const delimiter = Buffer.from(`--${boundary}`)
  let at = body.indexOf(delimiter)
  if (at < 0) throw malformed()
  for (;;) {
    at += delimiter.length
    if (body.subarray(at, at + 2).toString('latin1') === '--') return fields
    const headerEnd = body.indexOf('\r\n\r\n', at)
    const next = body.indexOf(Buffer.concat([crlf, delimiter]), at)
    if (headerEnd < 0 || next < 0 || headerEnd > next) throw malformed()
    const header = body.subarray(at, headerEnd).toString('utf8')
    const name = /^content-disposition:\s*form-data\s*;[^\r\n]*?\bname="([^"\r\n]*)"/im.exec(header)?.[1]
    if (name === undefined) throw malformed()
    // The value may begin where the header's last line end does, when it is empty.
    fields.push([name, body.subarray(headerEnd + 4, Math.max(headerEnd + 4, next)).toString('utf8')])
    at = next + crlf.length
  }
}

const crlf = Buffer.from('\r\n')

function malformed(): Error {
  return failure(36, 'BAD_ARGUMENTS', 'The multipart body is malformed')
}
