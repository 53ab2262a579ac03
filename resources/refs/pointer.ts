/** Parses refs of objects and ops in requests. Pure. */

import { parseRef, RefError } from '../../contract/ref.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Pointer } from './resolve.js'

/** Reads a ref of an object or op; throws 400 for anything else. */
export function readPointer(text: string): Pointer {
  try {
    const ref = parseRef(text)
    if (ref.kind === 'object' || ref.kind === 'op') return ref
    throw errors.badRequest(`Refs of a ${ref.kind} can't be read here; send refs of objects and ops.`)
  } catch (error) {
    if (error instanceof RefError) throw errors.badRequest(error.message)
    throw error
  }
}
