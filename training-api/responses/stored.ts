/** Stored responses as they are shown: also those whose process has ended before them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from '../../contract/responses.js'
import type { StoredResponse } from './table.js'

/** A response that has run for so much longer than it may has lost its process. */
const GRACE_SECONDS = 60
const POLL_MS = 500

function runs({ status }: StoredResponse): boolean {
  return status === 'queued' || status === 'in_progress'
}

/** JSON of the response. @param chatSeconds how long it may run */
export function shownOf(row: StoredResponse, chatSeconds: number, now = Date.now()): string {
  if (!runs(row) || now < row.created_at + (chatSeconds + GRACE_SECONDS) * 1000) return row.content
  const message = 'The process that ran it ended; send the request again.'
  return changed(row, { status: 'failed', error: { code: 'server_error', message, reason: 'LOST' } })
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
  chatSeconds: number
  signal: AbortSignal
}

/** The last event of a response that runs in another process, or has ended. @param read the row as it is now */
export async function* followStored(
  read: () => Promise<StoredResponse>,
  { from, chatSeconds, signal }: FollowOptions,
): AsyncGenerator<Uint8Array> {
  while (!signal.aborted) {
    const row = await read()
    const shown = shownOf(row, chatSeconds)
    const { status } = JSON.parse(shown) as Response
    if (status !== 'queued' && status !== 'in_progress') {
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
