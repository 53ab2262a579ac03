/**
 * Items of datasets: what changes of them come to, the rows of the dataset's table that they are, and how Langfuse
 * shows them. Values stay JSON text. Pure.
 */
import { objectDigest } from '../../../domain/refs/digest.js'
import { refsToInternal } from '../../../domain/refs/refs.js'
import { reading } from '../../../platform/http/lossless.js'
import { membersOf, objectText } from '../../../platform/json/members.js'
import { storedTree } from '../../../platform/json/tree.js'
import { isoOfMicros } from '../../../platform/time/iso.js'

export type Status = 'ACTIVE' | 'ARCHIVED' | 'DELETED'

/** One version of an item. */
export interface Item {
  id: string
  /** object id */
  dataset: string
  status: Status
  /** µs since the epoch */
  created: number
  ver: number
  /** digest of the row that it is; '': none */
  row: string
  /** JSON texts, by the names of rows */
  members: ReadonlyMap<string, string>
}

/** A change of an item. */
export interface Change {
  id: string
  /** null: unchanged, or active */
  status: Status | null
  /** JSON texts, by the names of rows */
  members: ReadonlyMap<string, string>
}

/** The members of an item, as rows name them and as Langfuse does. */
const VALUES = [
  ['input', 'input'],
  ['expected_output', 'expectedOutput'],
  ['metadata', 'metadata'],
] as const
const SOURCES = [
  ['source_trace_id', 'sourceTraceId'],
  ['source_observation_id', 'sourceObservationId'],
] as const
const MEMBERS = [...VALUES, ...SOURCES]

/** What a request sets; what it leaves out or sends as null stays. @param texts JSON texts by Langfuse's names */
export function membersIn(texts: Readonly<Record<string, string | undefined>>): Map<string, string> {
  return new Map(
    MEMBERS.flatMap(([name, wire]): [string, string][] => {
      const text = texts[wire]
      return text === undefined || text === 'null' ? [] : [[name, text]]
    }),
  )
}

/** The item after a change, without its row's digest. An item that was deleted begins anew. */
export function changed(before: Item | undefined, dataset: string, change: Change, ver: number): Item {
  const kept = before?.status === 'DELETED' ? undefined : before
  return {
    ...{ id: change.id, dataset, ver, created: kept?.created ?? ver, row: '' },
    status: change.status ?? kept?.status ?? 'ACTIVE',
    members: new Map([...(kept?.members ?? []), ...change.members]),
  }
}

/** The row of an item; '': it isn't in the dataset. */
export function rowText({ id, status, members }: Item): string {
  if (status !== 'ACTIVE') return ''
  const values = VALUES.flatMap(([name]): [string, string][] => {
    const text = members.get(name)
    return text === undefined ? [] : [[name, text]]
  })
  return objectText(new Map([['id', JSON.stringify(id)], ...values]))
}

/** The digest of a row in wire form. @throws `BAD_BODY` (400) for a number that has none */
export function rowDigest(text: Uint8Array): string {
  return reading(() => objectDigest(refsToInternal(storedTree(Buffer.from(text).toString()))))
}

/** Where rows of others say what was expected. */
const EXPECTED = ['expected_output', 'expectedOutput', 'expected', 'target', 'answer', 'output']

/**
 * A row that Langfuse's SDKs did not write, as an item: its `input`, or else all of it, is the input.
 * @param ver µs since the epoch of the dataset's version
 */
export function itemOfRow(dataset: string, digest: string, text: string, ver: number): Item {
  const row = membersOf(text)
  const expected = EXPECTED.find((name) => row.has(name))
  const members = new Map([['input', row.get('input') ?? text]])
  if (expected !== undefined) members.set('expected_output', row.get(expected)!)
  const metadata = row.get('metadata')
  if (metadata !== undefined) members.set('metadata', metadata)
  const id = `${dataset}:${digest}`
  return { id, dataset, status: 'ACTIVE', created: ver, ver, row: digest, members }
}

/** The dataset and the digest in the id of an item that is a row of others. */
export function rowOfItem(id: string): { dataset: string; digest: string } | undefined {
  const [, dataset, digest] = /^([^:]+):([A-Za-z0-9]{43})$/.exec(id) ?? []
  return dataset === undefined || digest === undefined ? undefined : { dataset, digest }
}

/** JSON text of an item as Langfuse shows it. @param name of its dataset */
export function itemText({ id, dataset, status, created, ver, members }: Item, name: string): string {
  const texts: [string, string][] = [
    ['id', id],
    ['status', status],
    ['datasetId', dataset],
    ['datasetName', name],
    ['createdAt', isoOfMicros(created)],
    ['updatedAt', isoOfMicros(ver)],
    ['version', isoOfMicros(ver)],
  ]
  return objectText(
    new Map([
      ...texts.map(([key, value]): [string, string] => [key, JSON.stringify(value)]),
      ...MEMBERS.map(([own, wire]): [string, string] => [wire, members.get(own) ?? 'null']),
      ['mediaReferences', '[]'],
    ]),
  )
}
