/** Reads what is uploaded: the form of `/file/create`, and bytes that were announced. Pure. */
import { fileCreate } from '../../contract/files.js'
import { fileDigest } from '../../domain/refs/digest.js'
import { errors } from '../../platform/errors/catalog.js'
import { validate } from '../../platform/http/json-body.js'
import { type Form, partsOf, textOf } from '../../platform/http/multipart.js'

const NAME_LIMIT = 1024

/** A request to `/file/create`. */
export interface Upload {
  project: string
  name: string
  digest: string
  content: Uint8Array
}

/** Reads and checks a form; throws 400, 409, 415 or 422. */
export function readUpload(form: Form): Upload {
  const parts = partsOf(form)
  const file = parts.get('file')
  const fields = validate(
    fileCreate.body!,
    {
      project_id: textOf(parts.get('project_id')),
      expected_digest: textOf(parts.get('expected_digest')) || null,
      file: file && '',
    },
    'body',
  )
  const content = file!.content
  const digest = fileDigest(content)
  if (fields.expected_digest && fields.expected_digest !== digest)
    throw errors.conflict(`The file's digest is ${digest}, not ${fields.expected_digest}.`)
  return { project: fields.project_id, name: (file!.filename ?? '').slice(0, NAME_LIMIT), digest, content }
}

/** Returns `bytes` if they are what was announced. @throws 400 */
export function announcedFile({
  digest,
  size,
  bytes,
}: {
  digest: string
  size: number
  bytes: Uint8Array
}): Uint8Array {
  if (bytes.length !== size)
    throw errors.badRequest(`The file has ${bytes.length} bytes, not the announced ${size}.`)
  if (fileDigest(bytes) !== digest)
    throw errors.badRequest('The SHA-256 of the file is not the announced one.')
  return bytes
}
