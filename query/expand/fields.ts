/**
 * Fields whose path leads through refs, for filters and sorts: it finds the calls' refs first, then their targets, and
 * the query gets both as bound values.
 */

import type { SortBy } from '../../contract/calls-read.js'
import type { Query } from '../../contract/query-expr.js'
import { pathSegments } from '../../domain/calls/leaves.js'
import { callFields } from '../../domain/calls/read/fields.js'
import { visibleRows } from '../../domain/calls/read/visible.js'
import { asText } from '../../domain/expr/cast.js'
import { namesIn } from '../../domain/expr/names.js'
import type { Fields, Value } from '../../domain/expr/value.js'
import { isRef, type RefTexts, type Resolve } from '../../domain/refs/expand.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { lookup } from '../../platform/json/fields.js'
import { stringAt } from '../../platform/json/text.js'
import { goesThrough, type Path } from './paths.js'

/** The most different refs of one path over the selected calls, and the most bytes of their targets. */
const MOST_REFS = 10_000
const MOST_BYTES = 8 << 20

export interface Expansion {
  project: string
  projectId: string
  /** conditions that narrow down the calls whose refs are read */
  conditions: readonly Sql[]
  paths: readonly Path[]
  query: Query | null
  sortBy: readonly SortBy[] | null
}

/** Reads distinct texts: a statement with a column `ref`. */
export type ReadRefs = (statement: Sql) => Promise<{ ref: string }[]>

/**
 * The fields that lead through one of the paths.
 * @throws 400 if the calls have too many different refs, or their targets are too large
 */
export async function fieldsThroughRefs(
  expansion: Expansion,
  read: ReadRefs,
  resolve: Resolve,
  principal: Principal,
): Promise<Fields> {
  const values = new Map<string, Value>()
  const names = [
    ...(expansion.query ? namesIn(expansion.query.$expr) : []),
    ...(expansion.sortBy ?? []).map(({ field }) => field),
  ]
  for (const name of new Set(names)) {
    const path = pathSegments(name)
    const starts = expansion.paths.filter((start) => goesThrough(path, start))
    if (starts.length === 0) continue
    values.set(name, await valueThrough(expansion, path, starts, read, resolve, principal))
  }
  return (name) => values.get(name)
}

async function valueThrough(
  { project, projectId, conditions }: Expansion,
  path: Path,
  starts: readonly Path[],
  read: ReadRefs,
  resolve: Resolve,
  principal: Principal,
): Promise<Value> {
  const first = starts[0]!
  const field = callFields(project)(first.map((part) => part.replaceAll('.', '\\.')).join('.'))
  const text = asText(field!)
  const here = [...conditions, sql`startsWith(ref, 'weave:///')`]
  const rows = await read(
    sql`SELECT DISTINCT ref FROM (${visibleRows(sql`${text} AS ref`, projectId, here)}) LIMIT ${bind.uint(MOST_REFS + 1)}`,
  )
  if (rows.length > MOST_REFS)
    throw errors.badRequest(
      `The calls have more than ${MOST_REFS} different refs at "${first.join('.')}"; narrow them by a filter.`,
    )
  const refs = rows.map(({ ref }) => ref)
  const texts = await follow(refs, path, starts, resolve, principal)
  const found = refs.filter((ref) => texts.has(ref))
  const to = found.map((ref) => texts.get(ref)!)
  if (to.reduce((sum, one) => sum + one.length, 0) > MOST_BYTES)
    throw errors.badRequest(
      `The values that the refs at "${first.join('.')}" point to are too large; add a filter.`,
    )
  if (found.length === 0) return { kind: 'json', document: sql`''`, path: [] }
  return {
    kind: 'json',
    document: sql`transform(${text}, ${bind.strings(found)}, ${bind.strings(to)}, '')`,
    path: [],
  }
}

/** JSON text of the value at the end of `path`, by the ref at its start; further refs on the way are followed. */
async function follow(
  refs: readonly string[],
  path: Path,
  starts: readonly Path[],
  resolve: Resolve,
  principal: Principal,
): Promise<RefTexts> {
  const [start, ...further] = starts
  const next = further[0] ?? path
  const texts = await resolve(refs, principal)
  const ends = new Map<string, string>()
  for (const [ref, text] of texts) {
    const value = valueAt(text, next.slice(start!.length))
    if (value !== undefined) ends.set(ref, value)
  }
  if (further.length === 0) return ends
  const inner = new Map(
    [...ends].flatMap(([ref, text]) => (isRef(plain(text)) ? [[ref, plain(text)!] as const] : [])),
  )
  const deeper = await follow([...new Set(inner.values())], path, further, resolve, principal)
  return new Map([...inner].flatMap(([ref, at]) => (deeper.has(at) ? [[ref, deeper.get(at)!] as const] : [])))
}

function valueAt(text: string, path: Path): string | undefined {
  const buf = Buffer.from(text)
  const slice = lookup(buf, { from: 0, to: buf.length }, path)
  return slice && buf.toString('utf8', slice.from, slice.to)
}

function plain(text: string): string | undefined {
  const buf = Buffer.from(text)
  return stringAt(buf, { from: 0, to: buf.length })
}
