/**
 * Finds the call objects in the body of a write: where each route keeps them, and which way each was written. Shapes
 * around them that are wrong are noted on the half, to be reported when it is checked.
 */
import type { HalfKind } from '../../domain/calls/schema.js'
import { errors } from '../../platform/errors/catalog.js'
import { JsonError } from '../../platform/json/error.js'
import { eachElement, eachField } from '../../platform/json/fields.js'
import { checkUtf8, Notes, scanValue, skipSpace } from '../../platform/json/scan.js'
import { stringAt, unescapedAt } from '../../platform/json/text.js'
import type { Half } from './half.js'
import { BATCH_LIMIT, type HalfPool } from './half-pool.js'

/** The routes that write calls; the ones under `/v2` have the same bodies. */
export type CallsRoute = 'start' | 'end' | 'upsert_batch' | 'complete'

/** An item of a body that should be a call. */
export interface BodyItem {
  kind: HalfKind
  /** the call, if there is one */
  half: Half | undefined
  /** what is wrong if there is none */
  problem: 'missing' | 'notObject' | 'badMode'
  /** where: below the body, or below the item of the batch */
  readonly path: readonly string[]
}

/** The items of a body in order; or what it has instead of a batch. */
export type Reading = BodyItem[] | 'notObject' | 'noBatch' | 'batchNotList'

const OPEN_OBJECT = 0x7b
const OPEN_LIST = 0x5b
const notes = new Notes()

/**
 * Reads the body of a write.
 * @throws JsonError if it is not JSON, `TOO_MANY` (413) for a batch beyond {@link BATCH_LIMIT}
 */
export function read(buf: Uint8Array, route: CallsRoute, pool: HalfPool): Reading {
  checkUtf8(buf)
  const at = skipSpace(buf, 0, notes)
  let reading: Reading = 'notObject'
  let end: number
  if (buf[at] !== OPEN_OBJECT) end = scanValue(buf, at, notes)
  else if (route === 'start' || route === 'end') {
    const item = newItem(route, [route])
    reading = [item]
    end = eachField(buf, at, notes, (keyFrom, keyTo, _escaped, from) =>
      unescapedAt(buf, keyFrom, keyTo) === route
        ? readCall(buf, from, 1, item, pool)
        : scanValue(buf, from, notes, 1),
    )
  } else {
    const readItem = route === 'complete' ? readWhole : readEither
    reading = 'noBatch'
    end = eachField(buf, at, notes, (keyFrom, keyTo, _escaped, from) => {
      if (unescapedAt(buf, keyFrom, keyTo) !== 'batch') return scanValue(buf, from, notes, 1)
      reading = 'batchNotList'
      if (buf[from] !== OPEN_LIST) return scanValue(buf, from, notes, 1)
      const items: BodyItem[] = []
      reading = items
      return eachElement(buf, from, notes, (index, item) => {
        if (index === BATCH_LIMIT) throw errors.tooMany('calls', BATCH_LIMIT)
        return readItem(buf, item, pool, items)
      })
    })
  }
  end = skipSpace(buf, end, notes)
  if (end !== buf.length) throw new JsonError('there is more text after the JSON value', end)
  return reading
}

function newItem(kind: HalfKind, path: readonly string[]): BodyItem {
  return { kind, half: undefined, problem: 'missing', path }
}

/** Reads the value at `from` as the call of `item`; `depth`: containers around it. */
function readCall(buf: Uint8Array, from: number, depth: number, item: BodyItem, pool: HalfPool): number {
  if (buf[from] === OPEN_OBJECT) {
    item.half ??= pool.take()
    return item.half.read(buf, from, depth)
  }
  item.half = undefined
  item.problem = 'notObject'
  return scanValue(buf, from, notes, depth)
}

function readWhole(buf: Uint8Array, from: number, pool: HalfPool, items: BodyItem[]): number {
  const item = newItem('whole', [])
  items.push(item)
  return readCall(buf, from, 2, item, pool)
}

/** Reads `{mode, req: {start | end}}`; without a mode the one of the two that is there decides. */
function readEither(buf: Uint8Array, from: number, pool: HalfPool, items: BodyItem[]): number {
  let mode: string | undefined
  let req: { start?: BodyItem; end?: BodyItem } | 'missing' | 'notObject' = 'missing'
  const readReq = (at: number) => {
    req = 'notObject'
    if (buf[at] !== OPEN_OBJECT) return scanValue(buf, at, notes, 3)
    const calls: { start?: BodyItem; end?: BodyItem } = {}
    req = calls
    return eachField(buf, at, notes, (keyFrom, keyTo, _escaped, call) => {
      const key = unescapedAt(buf, keyFrom, keyTo)
      if (key !== 'start' && key !== 'end') return scanValue(buf, call, notes, 4)
      const item = newItem(key, ['req', key])
      calls[key] = item
      return readCall(buf, call, 4, item, pool)
    })
  }
  if (buf[from] !== OPEN_OBJECT) {
    items.push({ ...newItem('start', []), problem: 'notObject' })
    return scanValue(buf, from, notes, 2)
  }
  const to = eachField(buf, from, notes, (keyFrom, keyTo, _escaped, at) => {
    const key = unescapedAt(buf, keyFrom, keyTo)
    if (key === 'req') return readReq(at)
    const end = scanValue(buf, at, notes, 3)
    if (key === 'mode') mode = stringAt(buf, { from: at, to: end }) ?? ''
    return end
  })
  items.push(chosen(mode, req))
  return to
}

/** What an item of a batch is, by its mode, or by what it has. */
function chosen(
  mode: string | undefined,
  req: { start?: BodyItem; end?: BodyItem } | 'missing' | 'notObject',
): BodyItem {
  if (mode !== undefined && mode !== 'start' && mode !== 'end') {
    return { ...newItem('start', ['mode']), problem: 'badMode' }
  }
  if (typeof req === 'string') return { ...newItem('start', ['req']), problem: req }
  const kind = mode ?? (req.end && !req.start ? 'end' : 'start')
  return req[kind] ?? newItem(kind, ['req', kind])
}
