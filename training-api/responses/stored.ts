/** Stored responses as they are now: also those whose process has ended before them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from '../../contract/responses.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { type StoredResponse, VERSION, writeRow } from './table.js'

const POLL_MS = 500

/** True if it has not ended, as far as its row says. */
export function runs({ status }: StoredResponse): boolean {
  return status === 'queued' || status === 'in_progress'
}

/** The name of the lease of the process that runs a response in the background. */
export const leaseOf = (id: string): string => `response ${id}`

/**
 * The row as it is now. A response that nobody runs any more has failed: it isn't run again, since what it said may have been
 * followed, and its tokens would count twice.
 * @param read the row @param isHeld whether the lease of its process is; throws while that can't be known
 */
export async function settled(
  store: Store,
  read: () => Promise<StoredResponse>,
  isHeld: (name: string) => Promise<boolean>,
): Promise<StoredResponse> {
  const row = await read()
  if (!runs(row) || (await isHeld(leaseOf(row.id)).catch(() => true))) return row
  // Its process stores its end before it lets go.
  const last = await read()
  if (!runs(last)) return last
  const message = 'The process that ran it ended; send the request again.'
  const error = { code: 'server_error', message, reason: 'LOST' }
  const content = changed(last, { status: 'failed', error })
  const failed = { ...last, status: 'failed', content, ver: VERSION.ended }
  await writeRow(store, failed)
  return failed
}

/** JSON of the response once it is cancelled. */
export function cancelledContent(row: StoredResponse): string {
  return changed(row, { status: 'cancelled' })
}

function changed({ content }: StoredResponse, change: Partial<Response>): string {
  return JSON.stringify({ ...(JSON.parse(content) as Response), ...change })
}

interface FollowOptions {
  /** the number of its event */
  from: number
  signal: AbortSignal
}

/** The last event of a response that runs in another process, or has ended. @param read the row as it is now */
export async function* followStored(
  read: () => Promise<StoredResponse>,
  { from, signal }: FollowOptions,
): AsyncGenerator<Uint8Array> {
  while (!signal.aborted) {
    const row = await read()
    if (!runs(row)) {
      const { content: shown, status } = row
      const type = `response.${status === 'cancelled' ? 'failed' : status}`
      yield Buffer.from(
        `event: ${type}\ndata: {"type":"${type}","sequence_number":${from},"response":${shown}}\n\n`,
      )
      return
    }
    yield Buffer.from(': working\n\n')
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}
