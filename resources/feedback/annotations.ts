/** Checks that annotations' values fit their specs. */

import { errors } from '../../platform/errors/catalog.js'
import type { HeddleError } from '../../platform/errors/error.js'
import type { Principal } from '../../platform/http/principal.js'
import { lookup } from '../../platform/json/fields.js'
import type { Parts } from '../parts.js'
import type { Resolved } from '../refs/resolve.js'
import type { Entry } from './entry.js'

/** @throws 400 for the first entry whose spec is missing or invalid, or does not allow its value */
export async function checkAnnotations(
  { refs, workers }: Parts,
  entries: readonly Entry[],
  principal: Principal,
): Promise<void> {
  const annotations = entries.flatMap(({ annotation, annotation_ref }) =>
    annotation ? [{ ...annotation, ref: annotation_ref }] : [],
  )
  if (annotations.length === 0) return
  const specs = new Map(annotations.map(({ ref, spec }) => [ref, spec]))
  const found = await refs.resolve([...specs.values()], principal)
  const schemas = new Map([...specs.keys()].map((ref, i) => [ref, schemaOf(found[i]!, ref)]))
  const list = annotations.map(({ ref, value }) => ({ schema: schemas.get(ref)!, value }))
  // Always in a thread: a schema's length says nothing about the work of checking it.
  const { verdict, at } = await workers.run('values', list, Number.POSITIVE_INFINITY)
  if (verdict === 'fits') return
  const { ref, value } = annotations[at]!
  if (verdict === 'misfit')
    throw errors.badRequest(`The value ${value.slice(0, 100)} does not fit the annotation spec ${ref}.`)
  if (verdict === 'no schema') throw noSpec(ref)
  throw errors.badRequest(`Checking values against the annotation spec ${ref} takes too long.`)
}

/** The text of the spec's `field_schema`; a spec without one allows everything. */
function schemaOf(found: Resolved, ref: string): string {
  if (found.state !== 'found')
    throw errors.badRequest(`The annotation spec ${ref} was not found; publish it first.`)
  const bytes = Buffer.from(found.text)
  if (bytes[0] !== OBJECT) throw noSpec(ref)
  const slice = lookup(bytes, { from: 0, to: bytes.length }, ['field_schema'])
  if (!slice) return '{}'
  if (bytes[slice.from] !== OBJECT) throw noSpec(ref)
  return bytes.toString('utf8', slice.from, slice.to)
}

const OBJECT = 0x7b

function noSpec(ref: string): HeddleError {
  return errors.badRequest(
    `${ref} is not an annotation spec: its field_schema is not a JSON schema, or has a pattern with look-around or back-references.`,
  )
}
