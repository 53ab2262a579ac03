/** What requests continue: earlier responses, conversations, and items by their ids. */
import type { Response, ResponseItem } from '../../contract/responses.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { problems } from '../problem.js'
import type { Earlier, Needs } from './read.js'
import { runs, settled } from './stored.js'
import { rowsById, rowsOfThread, type StoredResponse } from './table.js'

/** What a request continues. */
export interface Found extends Earlier {
  /** that of what is continued; undefined: the request begins one */
  thread: string | undefined
  previous: string | undefined
}

/** The JSON of a conversation. */
export interface ConversationContent {
  metadata: Record<string, string>
  /** ids of items that were removed from it */
  removed: string[]
}

/**
 * @param isHeld whether a lease is
 * @throws `NOT_FOUND` (404) for a response or conversation that this caller doesn't have, 400 if it is too long
 */
export async function earlierOf(
  store: Store,
  owner: string,
  needs: Needs,
  isHeld: (name: string) => Promise<boolean>,
): Promise<Found> {
  const { previous, conversation, references } = needs
  const referenced = await itemsById(store, owner, references)
  if (conversation !== undefined) {
    const row = await rowOf(store, owner, conversation, 'conv')
    const items = await itemsOfConversation(store, row)
    return { items, referenced, thread: conversation, previous }
  }
  if (previous === undefined) return { items: [], referenced, thread: undefined, previous }
  const row = await settled(store, () => rowOf(store, owner, previous, 'resp'), isHeld)
  if (runs(row))
    throw problems.conflict(`The response ${previous} has not ended yet.`, 'previous_response_id')
  const chain = chainOf(await threadOf(store, row), previous)
  return { items: chain.flatMap(itemsOf), referenced, thread: row.thread, previous }
}

/** A live row. @throws `NOT_FOUND` (404) */
export async function rowOf(
  store: Store,
  owner: string,
  id: string,
  kind: 'resp' | 'conv',
): Promise<StoredResponse> {
  const [row] = id.startsWith(`${kind}_`) ? await rowsById(store, owner, [id]) : []
  const what = kind === 'resp' ? 'response' : 'conversation'
  if (!row) throw errors.notFound(`The ${what} ${JSON.stringify(id.slice(0, 100))}`)
  return row
}

/** The items of a conversation, the oldest first. @throws 400 if they are too many */
export async function itemsOfConversation(store: Store, row: StoredResponse): Promise<ResponseItem[]> {
  const { removed } = JSON.parse(row.content) as ConversationContent
  const gone = new Set(removed)
  const rows = await threadOf(store, row)
  return rows.flatMap(itemsOf).filter(({ id }) => !gone.has(id ?? ''))
}

async function threadOf(store: Store, { owner, thread }: StoredResponse): Promise<StoredResponse[]> {
  const rows = await rowsOfThread(store, owner, thread)
  if (rows) return rows
  throw problems.refused(
    'CONVERSATION_TOO_LONG',
    'What this request continues is longer than 16 MiB; begin another conversation.',
    'input',
  )
}

/** The responses that lead to `last`, the oldest first. */
function chainOf(rows: readonly StoredResponse[], last: string): StoredResponse[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const chain: StoredResponse[] = []
  for (let row = byId.get(last); row; row = byId.get(row.previous)) {
    chain.unshift(row)
    byId.delete(row.id)
  }
  return chain
}

/** What was sent, and what was answered. */
function itemsOf({ items, content, status }: StoredResponse): ResponseItem[] {
  const sent = JSON.parse(items) as ResponseItem[]
  const hasAnswer = status === 'completed' || status === 'incomplete'
  return hasAnswer && content !== '' ? [...sent, ...(JSON.parse(content) as Response).output] : sent
}

/** An id that was given here names the row that the item is in. */
const ITEM_ID = /^[a-z]+_([\da-f]{32})/

async function itemsById(
  store: Store,
  owner: string,
  ids: readonly string[],
): Promise<Map<string, ResponseItem>> {
  const keys = [...new Set(ids.flatMap((id) => ITEM_ID.exec(id)?.[1] ?? []))]
  const rows = await rowsById(
    store,
    owner,
    keys.flatMap((key) => [`resp_${key}`, `items_${key}`]),
  )
  return new Map(rows.flatMap(itemsOf).map((item) => [item.id ?? '', item]))
}
