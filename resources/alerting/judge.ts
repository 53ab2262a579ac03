/**
 * Decides what an alert notifies of: from what was measured, and how each of its groups stood, to what changed. Pure. It
 * knows nothing of metrics, channels or stores; how a group stands follows from its past changes alone, so that whichever
 * process goes on decides the same.
 */
import type { AlertDefinition, AlertState } from '../../contract/alerts.js'
import { derivedId } from '../../platform/ids/derived.js'

/** A value of the window that ends now. */
export interface Measured {
  /** '': it is not grouped */
  group: string
  /** null: there is none, as of an average of nothing */
  value: number | null
  /** the rows that it is of */
  count: number
}

/** How a group stands. Times are µs since the epoch. */
export interface Standing {
  group: string
  state: AlertState
  since: number
  /** the state that people were last notified of */
  notified: AlertState
  notifiedAt: number
  /** of its last change, and when that was */
  last: string
  lastAt: number
}

/** A change to keep; people are notified of it if `isNotified`. */
export interface Change {
  id: string
  group: string
  state: AlertState
  /** as `state`: it is sent again, or late */
  previous: AlertState
  value: number | null
  threshold: number | null
  isNotified: boolean
  reason: string
  at: number
}

export type Thresholds = Pick<AlertDefinition, 'comparison' | 'alert_at' | 'warn_at'>
type Judged = Thresholds & Pick<AlertDefinition, 'minimum_count' | 'no_data' | 'renotify_minutes'>

const BEYOND: Record<AlertDefinition['comparison'], (value: number, threshold: number) => boolean> = {
  '>': (value, threshold) => value > threshold,
  '>=': (value, threshold) => value >= threshold,
  '<': (value, threshold) => value < threshold,
  '<=': (value, threshold) => value <= threshold,
}

/** How bad a value is. */
export function levelOf({ comparison, alert_at, warn_at }: Thresholds, value: number): AlertState {
  const isBeyond = BEYOND[comparison]
  if (isBeyond(value, alert_at)) return 'alert'
  return warn_at !== null && isBeyond(value, warn_at) ? 'warning' : 'ok'
}

/** The value of the group that is worst off; null: none has enough rows. */
export function worstOf(
  { comparison, minimum_count }: Pick<Judged, 'comparison' | 'minimum_count'>,
  measured: readonly Measured[],
): number | null {
  const values = measured.flatMap(({ value, count }) =>
    value === null || count < minimum_count ? [] : [value],
  )
  if (values.length === 0) return null
  const pick = comparison.startsWith('>') ? Math.max : Math.min
  return values.reduce((worst, value) => pick(worst, value))
}

/** The state that a measurement means; undefined: as before. */
export function stateOf(
  { minimum_count, no_data, ...thresholds }: Omit<Judged, 'renotify_minutes'>,
  measured: Measured | undefined,
): AlertState | undefined {
  if (measured !== undefined && measured.value !== null && measured.count >= minimum_count)
    return levelOf(thresholds, measured.value)
  return { ok: 'ok' as const, keep: undefined, alert: 'no_data' as const }[no_data]
}

const unknown = (group: string): Standing => ({
  ...{ group, state: 'ok', notified: 'ok', last: '' },
  ...{ since: 0, notifiedAt: 0, lastAt: 0 },
})

/**
 * What changes by a measurement, for all groups in it and all that were not ok.
 * @param alertId what ids are made from
 * @param now µs since the epoch
 * @param isMuted nobody is notified now; they are later
 */
export function judge(
  alertId: string,
  definition: Judged,
  standings: ReadonlyMap<string, Standing>,
  measured: readonly Measured[],
  now: number,
  isMuted: boolean,
): Change[] {
  const found = new Map(measured.map((one) => [one.group, one]))
  const open = [...standings.values()].filter(isOpen)
  const groups = new Set([...found.keys(), ...open.map(({ group }) => group)])
  return [...groups].flatMap((group) => {
    const standing = standings.get(group) ?? unknown(group)
    const state = stateOf(definition, found.get(group)) ?? standing.state
    const value = found.get(group)?.value ?? null
    if (!isDue(standing, state, definition.renotify_minutes, now, isMuted)) return []
    return [
      changeOf(
        alertId,
        standing,
        { state, value, threshold: threshold(definition, state, standing) },
        now,
        isMuted,
      ),
    ]
  })
}

/** True if it is not ok, or people don't know yet that it is again. */
export const isOpen = ({ state, notified }: Standing): boolean => state !== 'ok' || notified !== 'ok'

/** What changes when an alert was deleted, stopped, or is about something else from now on: all that was sent is over. */
export function end(alertId: string, standing: Standing, reason: string, now: number): Change {
  const over = { state: 'ok' as const, value: null, threshold: null }
  return { ...changeOf(alertId, standing, over, now, false), reason }
}

/** How a group stands after a change. */
export function after(before: Standing | undefined, change: Change): Standing {
  const { group, state, previous, isNotified, id, at } = change
  const standing = before ?? unknown(group)
  return {
    ...{ group, state, since: state === previous ? standing.since : at },
    ...(isNotified
      ? { notified: state, notifiedAt: at }
      : { notified: standing.notified, notifiedAt: standing.notifiedAt }),
    ...{ last: id, lastAt: at },
  }
}

function isDue(
  standing: Standing,
  state: AlertState,
  renotify: number | null,
  now: number,
  isMuted: boolean,
): boolean {
  if (state !== standing.state) return true
  if (isMuted) return false
  if (standing.notified !== state) return true
  return state !== 'ok' && renotify !== null && now - standing.notifiedAt >= renotify * 60e6
}

function changeOf(
  alertId: string,
  { group, state: previous, notified, last, lastAt }: Standing,
  found: Pick<Change, 'state' | 'value' | 'threshold'>,
  now: number,
  isMuted: boolean,
): Change {
  const { state } = found
  return {
    ...found,
    // Two processes that both believe it is their turn make the same one.
    id: derivedId(`alert ${alertId} ${group} ${last} ${state}`),
    ...{ group, previous, reason: '' },
    // What came and went while it was muted is nothing new to anybody.
    isNotified: !isMuted && (state !== notified || state === previous),
    // A clock that was set back doesn't change what came last.
    at: Math.max(now, lastAt + 1),
  }
}

/** The one that was crossed, in either direction. */
function threshold(
  { alert_at, warn_at }: Thresholds,
  state: AlertState,
  { state: before }: Standing,
): number | null {
  if (state === 'no_data') return null
  return state === 'alert' || before === 'alert' ? alert_at : (warn_at ?? alert_at)
}
