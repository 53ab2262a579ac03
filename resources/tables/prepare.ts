/**
 * Reads the bodies of table routes and digests their rows: the slow work that needs no store, so that it may run in a
 * thread. Throws the caller's errors: 400, 409 or 422. Pure.
 */
import { tableCreate, tableCreateFromDigests, tableUpdate } from '../../contract/tables.js'
import { tableDigest } from '../../domain/refs/digest.js'
import { errors } from '../../platform/errors/catalog.js'
import { ValidationError } from '../../platform/errors/error.js'
import { validate } from '../../platform/http/json-body.js'
import { reading } from '../../platform/http/lossless.js'
import { JsonError } from '../../platform/json/error.js'
import { eachElement, eachField, rawFields } from '../../platform/json/fields.js'
import { checkUtf8, Notes, type Slice, scanText, scanValue, skipSpace } from '../../platform/json/scan.js'
import { stringAt, unescapedAt } from '../../platform/json/text.js'
import { parseTree, treeValue } from '../../platform/json/tree.js'
import { DigestList, type ListMemory, ListWriter } from './digest-list.js'
import { RowCollector, type RowSet } from './rows.js'
import { applyChanges, type Change, type Changed } from './update.js'

const OPEN_OBJECT = 0x7b
const OPEN_LIST = 0x5b

/** A table to create from rows in the request. */
export interface NewTable {
  project: string
  digest: string
  /** the index in `rows` of the row at each position */
  order: Uint32Array<ArrayBuffer>
  rows: RowSet
  /** names of the projects that refs name */
  projects: string[]
}

export interface NewList {
  project: string
  digest: string
  list: ListMemory
}

/** The table that a body of `/table/update` changes, and the body. */
export interface Update {
  project: string
  base: string
  bytes: Uint8Array
}

/** The table that results from changes to another. */
export interface NewVersion extends Omit<Changed, 'touched'> {
  /** digest of the row that each change added or removed */
  touched: ListMemory
  rows: RowSet
  projects: string[]
}

/** Reads the body of `/table/create`. */
export function prepareTable(body: Uint8Array): NewTable {
  return reading(() => {
    const { fields, rows } = tableOf(body)
    const { project_id, expected_digest } = validate(
      tableCreate.body!,
      { table: { ...values(body, fields, 'rows'), rows: listFill(body, fields.get('rows')) } },
      'body',
    ).table
    const made = collected(body, rows, ['body', 'table', 'rows'])
    checkExpected(expected_digest, made.digest)
    return { project: project_id, ...made }
  })
}

/** Makes a table from the list of rows at `from` of scanned text. @param loc the list's place in the body */
export function tableAt(body: Uint8Array, { from }: Slice, loc: string[]): Omit<NewTable, 'project'> {
  const rows: RowSlice[] = []
  scanRows(body, from, new Notes(), rows)
  return collected(body, rows, loc)
}

function collected(body: Uint8Array, slices: readonly RowSlice[], loc: string[]): Omit<NewTable, 'project'> {
  const collector = new RowCollector(body)
  const order = new Uint32Array(slices.length)
  slices.forEach((slice, i) => {
    if (body[slice.from] !== OPEN_OBJECT) throw notObject([...loc, String(i)])
    order[i] = collector.add(slice, slice.tidy)
  })
  return {
    digest: tableDigest(inOrder(collector, order)),
    order,
    rows: collector.finish(),
    projects: [...collector.projects],
  }
}

function* inOrder(rows: RowCollector, order: Uint32Array): Generator<string> {
  for (const row of order) yield rows.digestOf(row)
}

/** Reads the body of `/table/create_from_digests`. */
export function prepareList(body: Uint8Array): NewList {
  return reading(() => {
    const fields = fieldsOf(body, [])
    const list = fields.get('row_digests')
    const { project_id, expected_digest } = validate(
      tableCreateFromDigests.body!,
      { ...values(body, fields, 'row_digests'), row_digests: listFill(body, list) },
      'body',
    )
    const digests = digestsOf(body, list!)
    const digest = tableDigest([digests.texts])
    checkExpected(expected_digest, digest)
    return { project: project_id, digest, list: digests }
  })
}

/** Reads the body of `/table/update` except its changes. */
export function readUpdate(bytes: Uint8Array): Update {
  return reading(() => {
    const fields = fieldsOf(bytes, [])
    const { project_id, base_digest } = validate(
      tableUpdate.body!,
      { ...values(bytes, fields, 'updates'), updates: listFill(bytes, fields.get('updates')) },
      'body',
    )
    return { project: project_id, base: base_digest, bytes }
  })
}

/** Applies an update's body to the list `base`, whose digests each end in a line break. */
export function makeUpdate({ bytes, base }: { bytes: Uint8Array; base: Uint8Array }): NewVersion {
  return reading(() => {
    const rows = new RowCollector(bytes)
    const changes = elements(bytes, fieldsOf(bytes, []).get('updates')!).map((slice, i) =>
      changeAt(bytes, slice, ['body', 'updates', String(i)], rows),
    )
    const { touched, ...changed } = applyChanges(DigestList.ofLines(base), changes, rows)
    const list = new ListWriter()
    for (const digest of touched) list.add(digest)
    return { ...changed, touched: list.finish(), rows: rows.finish(), projects: [...rows.projects] }
  })
}

/** The most characters of a digest, and the most bytes that they take if each is escaped, with quotes. */
const LONGEST = 256
const LONGEST_WRITTEN = 6 * LONGEST + 2
/** The most digests of one request: a body has no room for more, unless they are shorter than real ones. */
const MOST_DIGESTS = 4_000_000

/** The digests in the list that begins at `slice`. @throws `TOO_MANY` (413) */
function digestsOf(body: Uint8Array, { from }: Slice): ListMemory {
  const notes = new Notes()
  const list = new ListWriter()
  eachElement(body, from, notes, (index, at) => {
    if (index === MOST_DIGESTS) throw errors.tooMany('digests', MOST_DIGESTS)
    const to = scanValue(body, at, notes)
    // Don't decode a text that is far too long.
    const text = to - at > LONGEST_WRITTEN ? undefined : stringAt(body, { from: at, to })
    if (text === undefined || text.length === 0 || text.length > LONGEST)
      throw invalid(['body', 'row_digests', String(index)], 'Should be a digest')
    list.add(text)
    return to
  })
  return list.finish()
}

function changeAt(body: Uint8Array, slice: Slice, loc: string[], rows: RowCollector): Change {
  const fields = objectAt(body, slice, loc)
  const kind = ['append', 'pop', 'insert'].find((name) => fields.has(name))
  if (kind === undefined) throw invalid(loc, 'Should have one of append, pop, insert')
  const place = [...loc, kind]
  const payload = objectAt(body, fields.get(kind), place)
  const index = () => {
    const at = payload.get('index')
    const value = at && treeValue(parseTree(body.subarray(at.from, at.to)))
    if (Number.isSafeInteger(value)) return value as number
    throw invalid([...place, 'index'], at ? 'Should be an integer' : undefined)
  }
  const row = () => {
    const at = payload.get('row')
    if (!at) throw invalid([...place, 'row'], undefined)
    checkObject(body, at, [...place, 'row'])
    return rows.add(at)
  }
  if (kind === 'append') return { kind, row: row() }
  if (kind === 'pop') return { kind, index: index() }
  return { kind: 'insert', index: index(), row: row() }
}

/** A row's place, and whether it is already in its stored form. */
interface RowSlice extends Slice {
  tidy: boolean
}

/** The table's fields in the body of `/table/create`, and its rows, in one pass: bodies have many megabytes. */
function tableOf(body: Uint8Array): { fields: Map<string, Slice>; rows: RowSlice[] } {
  checkUtf8(body)
  const notes = new Notes()
  const start = skipSpace(body, 0, notes)
  if (body[start] !== OPEN_OBJECT) {
    scanText(body, notes)
    throw notObject(['body'])
  }
  let table: Slice | undefined
  let fields = new Map<string, Slice>()
  let rows: RowSlice[] = []
  const inTable = (keyFrom: number, keyTo: number, _escaped: boolean, from: number): number => {
    const name = unescapedAt(body, keyFrom, keyTo)
    const isList = name === 'rows' && body[from] === OPEN_LIST
    if (isList) rows = []
    const to = isList ? scanRows(body, from, notes, rows) : scanValue(body, from, notes, 2)
    fields.set(name, { from, to })
    return to
  }
  const end = eachField(body, start, notes, (keyFrom, keyTo, _escaped, from) => {
    const isTable = unescapedAt(body, keyFrom, keyTo) === 'table'
    if (isTable) fields = new Map()
    const isObject = isTable && body[from] === OPEN_OBJECT
    const to = isObject ? eachField(body, from, notes, inTable) : scanValue(body, from, notes, 1)
    if (isTable) table = { from, to }
    return to
  })
  if (skipSpace(body, end, notes) !== body.length)
    throw new JsonError('there is more text after the JSON value', end)
  if (!table) throw invalid(['body', 'table'], undefined)
  checkObject(body, table, ['body', 'table'])
  return { fields, rows }
}

/** Adds the values of the list at `p` to `rows`, and returns where it ends. @throws `TOO_MANY` (413) */
function scanRows(body: Uint8Array, p: number, notes: Notes, rows: RowSlice[]): number {
  return eachElement(body, p, notes, (index, from) => {
    if (index === MOST_ROWS) throw errors.tooMany('rows', MOST_ROWS)
    notes.clear()
    const to = scanValue(body, from, notes, 3)
    rows.push({ from, to, tidy: !notes.spaces && !notes.loneSurrogates })
    return to
  })
}

/** The fields of the body, after checking that it is JSON. */
function fieldsOf(body: Uint8Array, loc: string[]): Map<string, Slice> {
  const fields = rawFields(body)
  if (fields) return fields
  throw invalid(['body', ...loc], 'Should be an object')
}

/** The fields of the object at `slice`, as places in `body`. */
function objectAt(body: Uint8Array, slice: Slice | undefined, loc: string[]): Map<string, Slice> {
  if (!slice) throw invalid(loc, undefined)
  checkObject(body, slice, loc)
  const { from, to } = slice
  const inner = rawFields(body.subarray(from, to)) ?? new Map<string, Slice>()
  return new Map([...inner].map(([name, at]) => [name, { from: at.from + from, to: at.to + from }]))
}

function checkObject(body: Uint8Array, { from }: Slice, loc: string[]): void {
  if (body[from] !== OPEN_OBJECT) throw notObject(loc)
}

function notObject(loc: string[]): ValidationError {
  return invalid(loc, 'Should be an object')
}

/** The fields except `kept`, parsed. */
function values(body: Uint8Array, fields: ReadonlyMap<string, Slice>, kept: string): Record<string, unknown> {
  const plain = [...fields].filter(([name]) => name !== kept)
  return Object.fromEntries(
    plain.map(([name, { from, to }]) => [name, treeValue(parseTree(body.subarray(from, to)))]),
  )
}

/** A substitute for a long list while the rest is validated: an empty list if it is a list. */
function listFill(body: Uint8Array, slice: Slice | undefined): unknown {
  if (!slice) return undefined
  return body[slice.from] === 0x5b ? [] : treeValue(parseTree(body.subarray(slice.from, slice.to)))
}

/** The most rows or changes of one request: each takes some 200 bytes beside its text. */
const MOST_ROWS = 1_000_000

/** @throws `TOO_MANY` (413) */
function elements(body: Uint8Array, { from }: Slice): Slice[] {
  const notes = new Notes()
  const slices: Slice[] = []
  eachElement(body, from, notes, (index, at) => {
    if (index === MOST_ROWS) throw errors.tooMany('rows', MOST_ROWS)
    const to = scanValue(body, at, notes)
    slices.push({ from: at, to })
    return to
  })
  return slices
}

function checkExpected(expected: string | null, digest: string): void {
  if (expected !== null && expected !== digest)
    throw errors.conflict(`The table's digest is ${digest}, not ${expected}.`)
}

function invalid(loc: string[], msg: string | undefined): ValidationError {
  return new ValidationError([
    msg === undefined ? { loc, msg: 'Field required', type: 'missing' } : { loc, msg, type: 'invalid_type' },
  ])
}
