/** Reads the form of `/file/create`. Pure. */
import { fileCreate } from '../../contract/files.js'
import { fileDigest } from '../../domain/refs/digest.js'
import { errors } from '../../platform/errors/catalog.js'
import { validate } from '../../platform/http/json-body.js'
import { boundaryOf, FormError, type Part, parseMultipart } from './multipart.js'

const NAME_LIMIT = 1024

/** A request to `/file/create`. */
export interface Upload {
  /** `entity/project` */
  project: string
  name: string
  digest: string
  content: Uint8Array
}

/** A form as received. */
interface Form {
  contentType: string
  bytes: Uint8Array
}

/** Reads and checks a form; throws 400, 409, 415 or 422. */
export function readUpload({ contentType, bytes }: Form): Upload {
  const parts = partsOf(contentType, bytes)
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

function partsOf(contentType: string, body: Uint8Array): Map<string, Part> {
  if (!/^\s*multipart\/form-data\b/i.test(contentType)) throw errors.badMediaType(contentType.slice(0, 100))
  try {
    return new Map(parseMultipart(body, boundaryOf(contentType)).map((part) => [part.name, part]))
  } catch (error) {
    if (error instanceof FormError) throw errors.badBody(error.message)
    throw error
  }
}

function textOf(part: Part | undefined): string | undefined {
  return part && Buffer.from(part.content).toString('utf8')
}
