/**
 * Replaces refs in lines of JSON by their targets: it splices bytes and leaves the rest of a line unchanged. A target
 * that is an object keeps the ref as `_ref`; a ref that leads nowhere stays unchanged.
 */

import { isRef, type RefTexts, type Resolve } from '../../domain/refs/expand.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { lookup } from '../../platform/json/fields.js'
import type { Slice } from '../../platform/json/scan.js'
import { stringAt } from '../../platform/json/text.js'
import type { Path } from './paths.js'

/** The most bytes of a batch of expanded lines. */
const MOST_BYTES = 64 << 20

/** `lines` with the values at `paths` expanded, shallowest first. */
export async function expanded(
  lines: readonly Buffer[],
  paths: readonly Path[],
  resolve: Resolve,
  principal: Principal,
): Promise<Buffer[]> {
  const done = [...lines]
  // Paths of the same depth are not nested, so they are expanded together.
  for (const level of groupBy(paths, ({ length }) => length).values()) {
    const found = done.map((line) => refsIn(line, level))
    const refs = new Set(found.flatMap((places) => places.map(({ ref }) => ref)))
    if (refs.size === 0) continue
    const texts = await resolve(refs, principal)
    let bytes = 0
    for (const [i, places] of found.entries()) {
      done[i] = spliced(done[i]!, places, texts)
      bytes += done[i]!.length
      if (bytes > MOST_BYTES) throw errors.limitHit('bytes of expanded columns')
    }
  }
  return done
}

interface Place extends Slice {
  ref: string
}

function refsIn(line: Buffer, paths: readonly Path[]): Place[] {
  const whole = { from: 0, to: line.length }
  const places = paths.flatMap((path) => {
    const place = lookup(line, whole, path)
    const ref = place && stringAt(line, place)
    return place && isRef(ref) ? [{ ...place, ref }] : []
  })
  return places.sort((a, b) => a.from - b.from)
}

function spliced(line: Buffer, places: readonly Place[], texts: RefTexts): Buffer {
  const pieces: Uint8Array[] = []
  let at = 0
  for (const { from, to, ref } of places) {
    const text = texts.get(ref)
    if (text === undefined) continue
    pieces.push(line.subarray(at, from), Buffer.from(withRef(text, ref)))
    at = to
  }
  return at === 0 ? line : Buffer.concat([...pieces, line.subarray(at)])
}

/** A stored text is minified. */
function withRef(text: string, ref: string): string {
  if (!text.startsWith('{')) return text
  return `{"_ref":${JSON.stringify(ref)}${text === '{}' ? '' : ','}${text.slice(1)}`
}
