/**
 * Whether the service answers. While it doesn't, reads wait and the page stays as it is; both go on by themselves. Knows
 * no screen.
 */
import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ApiError, mayPass, onLost } from '../api/client'

const FIRST_MS = 500
const MOST_MS = 5_000
/** A request without an answer by then is given up: its connection may be dead. */
const ANSWER_MS = 10_000

let asking: Promise<void> | undefined

const isAnswering = () => onlineManager.isOnline()

/** Asks, ever more rarely, until the service says who is signed in, or that nobody is. */
async function untilItAnswers(): Promise<void> {
  for (let ms = FIRST_MS; ; ms = Math.min(MOST_MS, 2 * ms)) {
    await new Promise((resolve) => setTimeout(resolve, ms))
    const status = await fetch('/session', { signal: AbortSignal.timeout(ANSWER_MS) }).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200 || status === 401) return
  }
}

function reconnect(): Promise<void> {
  asking ??= untilItAnswers().then(() => {
    asking = undefined
    onlineManager.setOnline(true)
  })
  return asking
}

/** Begins to listen for requests without an answer. */
export function watchConnection(): void {
  // The browser's word is not enough: it is online while the service is not.
  onlineManager.setEventListener(() => undefined)
  onLost(() => {
    onlineManager.setOnline(false)
    void reconnect()
  })
}

const MOST_RETRIES = 2
const MOST_OUTAGES = 5
const MOST_WAITS = 20
const MOST_WAIT_MS = 30_000

/** What the caller did wrong stays wrong. What had no answer is asked again when there is one. */
export function isWorthARetry(times: number, error: unknown): boolean {
  if (!(error instanceof ApiError)) return times < MOST_RETRIES
  if (!isAnswering()) return times < MOST_OUTAGES
  // A service that is busy says when to come back: the page waits for its turn, and goes on by itself.
  if (error.status === 429 || error.status === 503) return times < MOST_WAITS
  return times < MOST_RETRIES && mayPass(error)
}

/** How long to wait before a read is tried again, in ms: as long as the service says, else ever longer. */
export function retryDelay(times: number, error: unknown): number {
  const said = error instanceof ApiError ? error.retryAfter : undefined
  return Math.min(MOST_WAIT_MS, said ?? 1_000 * 2 ** times)
}

/** Loads a part of the application; while the service is away, waits for it. */
export async function loaded<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch {
    // It answers, and this file is gone: the caller loads the page anew, with the names of the new files.
    await reconnect()
    return load()
  }
}

/** Says so while the service does not answer. */
export function Connection() {
  const isThere = useSyncExternalStore(onlineManager.subscribe.bind(onlineManager), isAnswering)
  if (isThere) return null
  return (
    <div className="connection" role="status">
      <span className="spinner" aria-hidden />
      The service does not answer. This page goes on when it does, with all that you typed.
    </div>
  )
}
