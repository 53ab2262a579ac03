/**
 * Puts values in the place of refs. The weave SDKs trace what comes from an object, such as a model's attribute or a
 * dataset's row, as a ref.
 */
import { refIn } from '../../contract/ref.js'
import { REFS_LIMIT } from '../../contract/refs.js'
import { isObject } from '../../platform/json/object.js'
import type { Row } from './row.js'

/** Reads values of refs to objects, in order; null: it can't be read. */
export type ReadRefs = (refs: readonly string[]) => Promise<readonly unknown[]>

/** How many rows wait for one request. */
const ROWS = 200
/** The most characters of rows that wait. */
const WAITING = 8 * 2 ** 20
/** A value may hold refs, too. */
const MOST_HOPS = 4
/** The most characters that refs add to one row: they may all point at one large value. */
const ADDED = 16 * 2 ** 20
/** Deeper values are not looked into. */
const DEEPEST = 100
const LONGEST_REF = 2_000

/** The rows, in order, with the values of their refs. Refs that can't be read stay. */
export async function* resolved(rows: AsyncIterable<Row>, read: ReadRefs): AsyncGenerator<Row> {
  let waiting: Row[] = []
  let refs = new Set<string>()
  let characters = 0
  for await (const row of rows) {
    characters += collect(tracedIn(row), refs)
    waiting.push(row)
    if (refs.size > 0 && waiting.length < ROWS && refs.size < REFS_LIMIT && characters < WAITING) continue
    yield* filledIn(waiting, refs, read)
    ;[waiting, refs, characters] = [[], new Set(), 0]
  }
  yield* filledIn(waiting, refs, read)
}

/** Whether a JSON text has a string that is only a ref, also within JSON in a string. */
export function holdsRef(json: string): boolean {
  return /"\s*weave:\/\/\/[^"\\\s]+\s*\\*"/.test(json)
}

/** Of a call, what programs pass in and out; its other columns are the service's own. */
function tracedIn({ kind, value }: Row): unknown {
  if (kind === 'row') return value
  const { inputs, output, attributes } = value
  return { inputs, output, attributes }
}

/** Adds the refs in a value. @returns about how many characters it has */
function collect(value: unknown, refs: Set<string>, depth = 0): number {
  if (typeof value === 'string') {
    if (isRef(value)) refs.add(value)
    return value.length
  }
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return 8
  let characters = 0
  for (const inner of Object.values(value)) characters += collect(inner, refs, depth + 1)
  return characters
}

function isRef(text: string): boolean {
  return text.startsWith('weave:///') && text.length <= LONGEST_REF && refIn(text)?.kind === 'object'
}

interface Found {
  value: unknown
  characters: number
}

async function* filledIn(
  rows: readonly Row[],
  refs: ReadonlySet<string>,
  read: ReadRefs,
): AsyncGenerator<Row> {
  if (refs.size === 0) return yield* rows
  const found = await valuesOf(refs, read)
  for (const row of rows) {
    const values = expanded(tracedIn(row), found, { added: 0 })
    yield { ...row, value: { ...row.value, ...(isObject(values) && values) } }
  }
}

async function valuesOf(refs: ReadonlySet<string>, read: ReadRefs): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  let wanted = [...refs]
  for (let hops = 0; wanted.length > 0 && hops < MOST_HOPS; hops++) {
    const inside = new Set<string>()
    for (let at = 0; at < wanted.length; at += REFS_LIMIT) {
      const some = wanted.slice(at, at + REFS_LIMIT)
      const values = await read(some)
      for (const [i, ref] of some.entries()) {
        const value = values[i] ?? null
        if (value !== null) found.set(ref, { value, characters: collect(value, inside) })
      }
    }
    wanted = [...inside].filter((ref) => !found.has(ref))
  }
  return found
}

function expanded(
  value: unknown,
  found: ReadonlyMap<string, Found>,
  row: { added: number },
  hops = 0,
  depth = 0,
): unknown {
  if (typeof value === 'string') {
    const target = hops < MOST_HOPS ? found.get(value) : undefined
    if (target === undefined || row.added + target.characters > ADDED) return value
    row.added += target.characters
    return expanded(target.value, found, row, hops + 1, depth)
  }
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value
  const inner = (one: unknown) => expanded(one, found, row, hops, depth + 1)
  if (Array.isArray(value)) return value.map(inner)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]))
}
