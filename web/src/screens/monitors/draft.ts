/** A monitor as the form holds it, from its object and to the request that makes a version of it. Pure. */
import type { Matching, Signal } from '../../api/monitors'
import { commaList } from '../../ui/comma-list'
import { savedWhere, type Where, whereIn } from '../traces/condition'
import { nameIn } from './shown'
import { SIGNALS } from './signals'

export interface Draft extends Where {
  name: string
  description: string | null
  /** by commas; empty: all */
  ops: string
  signals: readonly Signal[]
  /** their refs */
  scorers: readonly string[]
  /** score conversations as a whole, once nothing came for so long; null: each call */
  quietSeconds: number | null
  active: boolean
}

export const NEW: Draft = {
  ...{ name: '', description: null, ops: '', query: null, where: '', percent: 100 },
  ...{ signals: [], scorers: [], quietSeconds: null, active: true },
}

const isSignal = (name: string): name is Signal => Object.hasOwn(SIGNALS, name)

/** The draft of a stored monitor; undefined: it has what the form has no field for, so that saving it would lose that. */
export function draftOf(name: string, value: Record<string, unknown>): Draft | undefined {
  const { op_names: ops, query, sampling_rate: rate, scorers, scorer_debounce_config: quiet } = value
  if (value._class_name !== 'Monitor' || !Array.isArray(scorers)) return undefined
  const quietSeconds = quietOf(quiet)
  if (quietSeconds === undefined) return undefined
  const refs = scorers.map(String)
  return {
    ...{ name, description: typeof value.description === 'string' ? value.description : null, quietSeconds },
    ops: Array.isArray(ops) ? ops.join(', ') : '',
    ...whereIn({ query: (query ?? null) as Where['query'], sampling_rate: Number(rate ?? 1) }),
    signals: refs.map(nameIn).filter(isSignal),
    scorers: refs.filter((ref) => !isSignal(nameIn(ref))),
    active: value.active !== false,
  }
}

/** undefined: not said by the form */
function quietOf(config: unknown): number | null | undefined {
  if (config === null || config === undefined) return null
  const { aggregation_field: by, aggregation_method: method, timeout_seconds: seconds } = Object(config)
  return by === 'thread_id' && method === 'all_messages' && typeof seconds === 'number' ? seconds : undefined
}

/** What it matches and what says something of it; undefined: a field can't be read. */
export function matchingOf(draft: Draft): Matching | undefined {
  const which = savedWhere(draft)
  const ops = commaList(draft.ops)
  return (
    which && {
      ...which,
      op_names: ops.length === 0 ? null : ops,
      signals: [...draft.signals],
      scorer_refs: [...draft.scorers],
    }
  )
}
