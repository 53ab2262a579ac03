import { REFS_LIMIT, refsReadBatch } from '../../contract/refs.js'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { wireTexts } from '../objects/external-refs.js'
import type { Parts } from '../parts.js'
import { resolver } from './expander.js'
import { readPointer } from './pointer.js'
import type { Pointer, Resolved } from './resolve.js'

export function refRoutes({ refs, register }: Parts): Bound[] {
  const resolve = resolver(refs, register)
  const readBatch = serve(refsReadBatch, async ({ body, principal }) => {
    if (body.refs.length > REFS_LIMIT) throw errors.badRequest(`Send at most ${REFS_LIMIT} refs at once.`)
    if (body.allow_missing) {
      const found = await resolve(body.refs, principal)
      return answered(body.refs.map((ref) => found.get(ref)))
    }
    const pointers = body.refs.map(readPointer)
    for (const project of new Set(pointers.map(({ project }) => project))) principal.must('read', project)
    const found = await refs.resolve(pointers, principal)
    checkThere(pointers, found)
    const texts = await wireTexts(
      register,
      found.map((one) => (one.state === 'found' ? one.text : null)),
    )
    return answered(texts)
  })
  return [readBatch]
}

/** @param texts JSON; none is null */
function answered(texts: readonly (string | null | undefined)[]): Reply {
  return new Reply(200, 'application/json', `{"vals":[${texts.map((text) => text ?? 'null').join(',')}]}`)
}

/** Throws 404 with all missing objects. A path that leads nowhere gives null in its place. */
function checkThere(pointers: readonly Pointer[], found: readonly Resolved[]): void {
  const missing = new Set(
    pointers.filter((_, i) => found[i]!.state === 'missing').map(({ digest }) => digest),
  )
  if (missing.size > 0) {
    const reason = `${missing.size} of the objects that these refs point at were not found.`
    throw new HeddleError('NOT_FOUND', 404, reason, { body: { missing_object_digests: [...missing].sort() } })
  }
}
