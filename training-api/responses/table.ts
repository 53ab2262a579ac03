/** Reads and writes the table of responses and conversations. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'

export interface StoredResponse {
  owner: string
  id: string
  thread: string
  previous: string
  /** internal id */
  project_id: string
  /** empty: it is a conversation, or items that were added to one */
  status: string
  /** JSON */
  content: string
  /** JSON array */
  items: string
  /** ms since 1970 */
  created_at: number
  deleted: 0 | 1
  ver: number
}

/** The most bytes of a thread that a request may continue: as many as it may send. */
const THREAD_BYTES = 16 * 2 ** 20

/** A new id of a row. */
export function newId(kind: 'resp' | 'conv' | 'items', uuid: string): string {
  return `${kind}_${uuid.replaceAll('-', '')}`
}

/** Resolves when the row is stored. */
export function writeRow(store: Store, { created_at: at, ...row }: StoredResponse): Promise<void> {
  return store.insertRows('responses', [{ ...row, created_at: new Date(at).toISOString() }])
}

/** Versions of a response: what is cancelled stays so, whatever its process still tells. */
export const VERSION = { begun: 1, ended: 2, cancelled: 3 }
/** After every version of a row. */
const DELETED = 2 ** 52

/** Puts a row without content in its place. */
export function deleteRow(store: Store, row: StoredResponse): Promise<void> {
  return writeRow(store, { ...row, content: '', items: '[]', deleted: 1, ver: DELETED })
}

/** The same for a conversation and the items that were added to it; its responses stay. */
export async function deleteConversationRows(store: Store, { owner, id }: StoredResponse): Promise<void> {
  await store.run(sql`
    INSERT INTO responses (owner, id, thread, previous, project_id, status, content, items, created_at, deleted, ver)
    SELECT owner, id, thread, previous, project_id, status, '', '[]', created_at, 1, ${bind.uint(DELETED)}
    FROM responses FINAL
    WHERE owner = ${bind.string(owner)} AND thread = ${bind.string(id)} AND NOT startsWith(id, 'resp_')`)
}

const COLUMNS = sql`owner, id, thread, previous, project_id, status, content, items,
  toUnixTimestamp64Milli(created_at) AS created_ms, deleted, ver`

/** What this owner has with these ids; deleted rows are left out. */
export async function rowsById(
  store: Store,
  owner: string,
  ids: readonly string[],
): Promise<StoredResponse[]> {
  if (ids.length === 0) return []
  return rows(
    await store.rows(sql`SELECT ${COLUMNS} FROM responses FINAL
      WHERE owner = ${bind.string(owner)} AND id IN ${bind.strings(ids)} AND deleted = 0`),
  )
}

/** The rows of a thread, the oldest first, deleted ones among them; undefined: they are too long together. */
export async function rowsOfThread(
  store: Store,
  owner: string,
  thread: string,
): Promise<StoredResponse[] | undefined> {
  const where = sql`owner = ${bind.string(owner)} AND thread = ${bind.string(thread)}`
  const size = await store.row<{ bytes: number }>(
    sql`SELECT toFloat64(sum(length(content) + length(items))) AS bytes FROM responses FINAL WHERE ${where}`,
  )
  if ((size?.bytes ?? 0) > THREAD_BYTES) return undefined
  return rows(
    await store.rows(sql`SELECT ${COLUMNS} FROM responses FINAL WHERE ${where} ORDER BY created_at, id`),
  )
}

type Read = Omit<StoredResponse, 'created_at' | 'ver'> & { created_ms: string | number; ver: string | number }

function rows(read: Read[]): StoredResponse[] {
  return read.map(({ created_ms, ver, ...row }) => ({
    ...row,
    created_at: Number(created_ms),
    ver: Number(ver),
  }))
}
