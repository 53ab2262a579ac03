/** `heddle tail`: the newest calls of a project, and then each that ends. */
import { setTimeout as pause } from 'node:timers/promises'
import { AnswerError, type Target } from '../http-client.js'
import { wholeNumber } from '../option-values.js'
import { say } from '../subcommand.js'
import { table } from '../table.js'
import { type Call, type CallsOptions, callRow, query, selectionOf } from './calls.js'

export interface TailOptions extends CallsOptions {
  follow?: boolean
  json?: boolean
}

const POLL_MS = 1_000
/** A call may be stored this long after its end: exporters wait, and clocks differ. */
const LATE_MS = 60_000
/** How long ago a call may have begun that ends now: what began earlier is not looked for. */
const LONG_MS = 3_600_000
/** Most calls of an answer; further ones come with the next. */
const MOST = 1_000

/** Lines for the terminal, or of JSON; with `follow` they never end. */
export async function* tail(to: Target, project: string, options: TailOptions): AsyncGenerator<string> {
  const limit = wholeNumber('--limit', options.limit)
  const newest = await query(to, project, {
    ...selectionOf(project, options, [{ $not: [{ $eq: [field('ended_at'), literal(null)] }] }]),
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    limit,
  })
  yield* lines(newest.reverse(), options)
  if (!options.follow) return
  /** when calls that were shown ended, by id */
  const shown = new Map(newest.map((call) => [call.id, endOf(call)]))
  let since = Math.max(Date.now(), ...shown.values())
  let isAway = false
  for (;;) {
    await pause(POLL_MS)
    let calls: Call[]
    try {
      calls = await query(to, project, {
        ...selectionOf(project, options, [
          { $gte: [field('started_at'), literal(iso(since - LONG_MS))] },
          { $gte: [field('ended_at'), literal(iso(since - LATE_MS))] },
        ]),
        sort_by: [{ field: 'ended_at', direction: 'asc' }],
        // Those that are known come along.
        limit: MOST + shown.size,
      })
      isAway = false
    } catch (error) {
      if (!isPassing(error)) throw error
      if (!isAway) say(`heddle: ${error.message}; trying again`)
      isAway = true
      continue
    }
    const fresh = calls.filter(({ id }) => !shown.has(id))
    yield* lines(fresh, options)
    for (const call of fresh) shown.set(call.id, endOf(call))
    since = Math.max(since, ...fresh.map(endOf))
    for (const [id, end] of shown) if (end < since - LATE_MS) shown.delete(id)
  }
}

/** Servers are restarted and busy; whoever follows goes on. */
function isPassing(error: unknown): error is AnswerError {
  return (
    error instanceof AnswerError && (error.answered === 0 || error.answered === 429 || error.answered >= 500)
  )
}

function* lines(calls: readonly Call[], { json }: TailOptions): Generator<string> {
  for (const call of calls) {
    const [at, id, op, time, error] = callRow(call) as [string, string, string, string, string]
    yield json ? `${JSON.stringify(call)}\n` : table([[at, id, time.padStart(10), op, error]])
  }
}

const field = ($getField: string) => ({ $getField })
const literal = ($literal: unknown) => ({ $literal })
const iso = (ms: number) => new Date(ms).toISOString()
const endOf = ({ ended_at: end }: Call) => Date.parse(end ?? '')
