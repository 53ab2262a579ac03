/** The routes of conversations, bound. */

import type { ResponseItem } from '../../contract/responses.js'
import * as contract from '../../contract/responses.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { ownerOf } from '../owner.js'
import { type ConversationContent, itemsOfConversation, rowOf } from './history.js'
import { itemPage } from './page.js'
import { withIds } from './read.js'
import { deleteConversationRows, newId, type StoredResponse, writeRow } from './table.js'

/** The most items that are removed from a conversation. */
const MOST_REMOVED = 10_000

export function conversationRoutes(store: Store): Bound[] {
  const own = (id: string, principal: Principal) => rowOf(store, ownerOf(principal), id, 'conv')
  return [
    serve(contract.createConversation, async ({ body, principal }) => {
      const id = newId('conv', uuid7())
      const content: ConversationContent = { metadata: body.metadata ?? {}, removed: [] }
      const row: StoredResponse = {
        ...{ owner: ownerOf(principal), id, thread: id, previous: '', project_id: '', status: '' },
        ...{
          content: JSON.stringify(content),
          items: '[]',
          created_at: Date.now(),
          deleted: 0,
          ver: Date.now(),
        },
      }
      await writeRow(store, row)
      if (body.items?.length) await addItems(store, row, body.items)
      return shown(row)
    }),
    serve(contract.retrieveConversation, async ({ params, principal }) =>
      shown(await own(params.conversation_id, principal)),
    ),
    serve(contract.updateConversation, async ({ params, body, principal }) =>
      changed(store, await own(params.conversation_id, principal), { metadata: body.metadata ?? {} }),
    ),
    serve(contract.deleteConversation, async ({ params, principal }) => {
      const row = await own(params.conversation_id, principal)
      await deleteConversationRows(store, row)
      return { id: row.id, object: 'conversation.deleted', deleted: true }
    }),
    serve(contract.createItems, async ({ params, body, principal }) => {
      const added = await addItems(store, await own(params.conversation_id, principal), body.items)
      return itemPage(added, { limit: added.length, order: 'asc' })
    }),
    serve(contract.listItems, async ({ params, query, principal }) =>
      itemPage(await itemsOfConversation(store, await own(params.conversation_id, principal)), query),
    ),
    serve(contract.retrieveItem, async ({ params, principal }) => {
      const row = await own(params.conversation_id, principal)
      return itemOf(await itemsOfConversation(store, row), params.item_id)
    }),
    serve(contract.deleteItem, async ({ params, principal }) => {
      const row = await own(params.conversation_id, principal)
      itemOf(await itemsOfConversation(store, row), params.item_id)
      const { removed } = JSON.parse(row.content) as ConversationContent
      if (removed.length >= MOST_REMOVED) throw errors.tooMany('removed items', MOST_REMOVED)
      return changed(store, row, { removed: [...removed, params.item_id] })
    }),
  ]
}

/** Stores items of a conversation. @returns them, with their ids */
async function addItems(
  store: Store,
  conversation: StoredResponse,
  items: readonly ResponseItem[],
): Promise<ResponseItem[]> {
  const id = newId('items', uuid7())
  const added = withIds(items, id.slice('items_'.length))
  const now = Date.now()
  await writeRow(store, {
    ...{ ...conversation, id, content: '', items: JSON.stringify(added), created_at: now, ver: now },
  })
  return added
}

async function changed(store: Store, row: StoredResponse, change: Partial<ConversationContent>) {
  const content = { ...(JSON.parse(row.content) as ConversationContent), ...change }
  const next = { ...row, content: JSON.stringify(content), ver: Math.max(Date.now(), row.ver + 1) }
  await writeRow(store, next)
  return shown(next)
}

function shown({ id, created_at, content }: StoredResponse) {
  const { metadata } = JSON.parse(content) as ConversationContent
  return { id, object: 'conversation', created_at: Math.floor(created_at / 1000), metadata }
}

/** @throws `NOT_FOUND` (404) */
function itemOf(items: readonly ResponseItem[], id: string): ResponseItem {
  const item = items.find((one) => one.id === id)
  if (!item) throw errors.notFound(`The item ${JSON.stringify(id.slice(0, 100))}`)
  return item
}
