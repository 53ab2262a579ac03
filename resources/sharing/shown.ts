/**
 * What is left out of what links show: who made it, what looks like a credential, and addresses of people who commented.
 * What is stored was masked on arrival; this is besides. Pure; runs in a thread, as calls may be large.
 */
import { isCredentialKey, REDACTED } from '../../domain/calls/credential-keys.js'
import { NAME_COLUMNS } from '../../domain/calls/listed-fields.js'
import { isStored, mediaIn } from '../../domain/calls/media.js'
import { withoutCredentials as withoutForms } from '../../domain/masking/credential-forms.js'
import { partRefsIn } from '../../domain/refs/in-values.js'
import { type JsonTree, parseTree, treeText, treeValue } from '../../platform/json/tree.js'

/** The columns of a call that links show; the others are asked of no reader. */
export const SHOWN_COLUMNS = [
  ...['id', 'trace_id', 'parent_id', 'op_name', 'display_name', 'started_at', 'ended_at', 'exception'],
  ...['attributes', 'inputs', 'output', 'summary'],
  ...['environment', 'release', 'version', 'prompt_name', 'prompt_version'],
] as const
const SHOWN = new Set<string>([...SHOWN_COLUMNS, 'project_id'])

/** Of the parts of a call that its SDK and its exporter write, what says whose machine or user it was. */
const OWN_FIELDS =
  /^(?:(?:wb|platform)_(?:user_id|username|run_id)|user_?id|user\.(?:id|email|name)|enduser\..*|created_by|langfuse\.user\.id|(?:host|process|os)\..*)$/i
const SDK = 'weave'

/** A text without what looks like a credential. */
export function withoutCredentials(text: string): string {
  return text.length < SHORTEST ? text : withoutForms(text, REDACTED)
}

/** `a://b:c@` has a password. */
const SHORTEST = 8

const ADDRESS = /[\w.%+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}/gi

/** A text without e-mail addresses. */
const withoutAddresses = (text: string): string => text.replace(ADDRESS, '…')

/** The name of who wrote something; that of somebody who is called by an address stays out. */
const shownName = (creator: string | null): string | null =>
  creator === null || creator.includes('@') ? null : creator

/** The value without credentials, at any depth. @param change what else is done to texts */
export function hidden(tree: JsonTree, change = withoutCredentials): JsonTree {
  if (typeof tree === 'string') return change(tree)
  if (Array.isArray(tree)) return tree.map((one) => hidden(one, change))
  if (!(tree instanceof Map)) return tree
  return new Map(
    [...tree].map(([key, value]) => [
      key,
      typeof value === 'string' && value !== '' && isCredentialKey(key) ? REDACTED : hidden(value, change),
    ]),
  )
}

/** The same without what says whose it was. */
function withoutOwners(tree: JsonTree): JsonTree {
  if (Array.isArray(tree)) return tree.map(withoutOwners)
  if (!(tree instanceof Map)) return tree
  const kept = [...tree].filter(([key]) => !OWN_FIELDS.test(key))
  return new Map(
    kept.map(([key, value]): [string, JsonTree] => {
      if ((key === 'user' || key === 'enduser') && value instanceof Map)
        return [key, new Map([...value].filter(([inner]) => !/^(?:id|email|name)$/i.test(inner)))]
      if (key === 'host' || key === 'process' || key === 'os') return [key, null]
      return [key, withoutOwners(value)]
    }),
  )
}

/** The line of a call as links show it. */
function shownCall(line: JsonTree): JsonTree {
  if (!(line instanceof Map)) return null
  const fields = [...line].flatMap(([key, value]): [string, JsonTree][] => {
    if (!SHOWN.has(key)) return []
    if (key === 'attributes' && value instanceof Map)
      return [[key, withoutOwners(new Map([...value].filter(([name]) => name !== SDK)))]]
    return [[key, key === 'summary' ? withoutOwners(value) : value]]
  })
  return hidden(new Map(fields))
}

/** What a list of a trace's calls says of each. */
export const LISTED = [
  ...(['id', 'parent_id'] as const),
  ...NAME_COLUMNS,
  ...['started_at', 'ended_at', 'exception'],
] as const
/** The list says that a call failed; the call says why. */
const MOST_EXCEPTION = 200

/** The line of a call in a list. */
function shownLine(line: string): string {
  const call = JSON.parse(line) as Record<string, unknown>
  const shown = LISTED.map((name) => {
    const value = call[name] ?? null
    return [name, typeof value === 'string' ? withoutCredentials(value).slice(0, LENGTHS[name]) : value]
  })
  return JSON.stringify(Object.fromEntries(shown))
}

const LENGTHS: Partial<Record<(typeof LISTED)[number], number>> = { exception: MOST_EXCEPTION }

/** The numbers in a value, by where they are. */
function numbersIn(value: unknown): unknown {
  if (typeof value === 'number') return value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, numbersIn(one)]))
}

/** The line of what a call is and used. */
function factsLine(line: string, kinds: ReadonlyMap<string, string>): string {
  const { id, summary } = JSON.parse(line) as { id: string; summary?: { usage?: unknown; weave?: object } }
  const { costs, time_to_first_token_ms } = (summary?.weave ?? {}) as Record<string, unknown>
  const shown = numbersIn({ usage: summary?.usage, weave: { costs, time_to_first_token_ms } })
  return JSON.stringify({ id, kind: kinds.get(id) ?? null, summary: shown })
}

/** The lines of what calls are and used, as they come. @param kinds of calls that say it, by their ids */
export const factsLines = (pieces: AsyncIterable<Uint8Array>, kinds: ReadonlyMap<string, string>) =>
  eachLine(pieces, (line) => factsLine(line, kinds))

/** The lines of calls as a list shows them, as they come. */
export const shownLines = (pieces: AsyncIterable<Uint8Array>) => eachLine(pieces, shownLine)

async function* eachLine(
  pieces: AsyncIterable<Uint8Array>,
  write: (line: string) => string,
): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0)
  for await (const piece of pieces) {
    const whole = Buffer.concat([rest, piece])
    const end = whole.lastIndexOf(NEWLINE) + 1
    rest = whole.subarray(end)
    if (end === 0) continue
    const lines = whole.toString('utf8', 0, end - 1).split('\n')
    yield Buffer.from(`${lines.map(write).join('\n')}\n`)
  }
  if (rest.length > 0) yield Buffer.from(`${write(rest.toString())}\n`)
}

const NEWLINE = 0x0a

/** A call as links show it, and what it names. */
export interface ShownCall {
  /** JSON text */
  call: Uint8Array
  /** what its files are named by */
  files: string[]
  /** parts of objects */
  refs: string[]
}

/** Reads the line of a call. @throws JsonError */
export function readShownCall(line: Uint8Array): ShownCall {
  const tree = parseTree(line, Number.POSITIVE_INFINITY) as Map<string, JsonTree>
  const content = [treeValue(tree.get('inputs') ?? null), treeValue(tree.get('output') ?? null)]
  return {
    call: Buffer.from(treeText(shownCall(tree))),
    files: mediaIn(content)
      .filter(isStored)
      .map(({ uri }) => uri),
    refs: partRefsIn(content),
  }
}

/** Any JSON without credentials. @throws JsonError */
export function readHidden(text: Uint8Array): Uint8Array {
  return Buffer.from(treeText(hidden(parseTree(text, Number.POSITIVE_INFINITY))))
}

/** The list in an answer of `/feedback/query`, without addresses of people. @returns JSON text @throws JsonError */
export function readShownFeedback(answer: Uint8Array): Uint8Array {
  const tree = parseTree(answer, Number.POSITIVE_INFINITY) as Map<string, JsonTree>
  const clean = (text: string) => withoutAddresses(withoutCredentials(text))
  const list = (tree.get('result') as Map<string, JsonTree>[]).map((one) => {
    const creator = one.get('creator')
    return new Map([
      ...['id', 'feedback_type'].map((name): [string, JsonTree] => [name, one.get(name) ?? '']),
      ['payload', hidden(withoutOwners(one.get('payload') ?? null), clean)] as const,
      ['creator', shownName(typeof creator === 'string' ? creator : null)] as const,
      ['created_at', one.get('created_at') ?? ''] as const,
    ])
  })
  return Buffer.from(treeText(list))
}

/** What refs point at, by ref, without those that could not be read. @param answer of `/refs/read_batch` @throws JsonError */
export function readShownRefs({ refs, answer }: { refs: readonly string[]; answer: Uint8Array }): Uint8Array {
  const tree = parseTree(answer, Number.POSITIVE_INFINITY) as Map<string, JsonTree>
  const values = tree.get('vals') as JsonTree[]
  const found = refs.flatMap((ref, i): [string, JsonTree][] => {
    const value = values[i] ?? null
    return value === null ? [] : [[ref, hidden(value)]]
  })
  return Buffer.from(treeText(new Map(found)))
}

/** The buckets of a dashboard's panel; users are told apart, but not by their names. */
export function shownBuckets<Bucket extends Record<string, unknown>>(
  buckets: readonly Bucket[],
  isByUser: boolean,
): Record<string, unknown>[] {
  if (!isByUser) return buckets.map((one) => hiddenValue(one))
  const places = new Map<unknown, string>()
  return buckets.map((bucket) => {
    const { group_name: _, group, ...rest } = bucket
    if (group === null || group === undefined || group === '') return { ...rest, group }
    const name = places.get(group) ?? `user ${places.size + 1}`
    places.set(group, name)
    return { ...rest, group: name }
  })
}

/** The texts of a small object, such as the names of groups, without credentials. */
function hiddenValue(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, typeof one === 'string' ? withoutCredentials(one) : one]),
  )
}
