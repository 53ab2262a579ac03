/** What would have set off a rule: a dry run over the past. */
import type { RuleTrigger } from '../../contract/rules.js'
import type { Caller } from '../../platform/fairness/caller.js'
import type { EvaluationParts } from '../evaluation/parts.js'
import { preview } from '../monitoring/statements.js'
import { conditionOf } from './condition.js'
import { type EventType, eventsSince, meant } from './events.js'
import type { Match } from './match.js'
import { Subjects } from './subjects.js'

const SHOWN = 20
/** Most of what happened that is looked at. */
const MOST = 100_000

export interface PreviewAsked {
  project: string
  projectId: string
  name: string
  trigger: RuleTrigger
  /** µs since the epoch */
  since: number
}

export interface Previewed {
  matched: number
  /** the newest, the newest first */
  newest: Match[]
}

export async function previewRule(
  parts: EvaluationParts,
  { project, projectId, name, trigger, since }: PreviewAsked,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
): Promise<Previewed> {
  const { store, limits } = parts
  const options = { limits, caller, signal }
  const subjects = new Subjects(parts)
  const whole = async (matches: readonly Match[]) =>
    (
      await subjects.whole(
        projectId,
        matches.map((match) => [match.key, match]),
      )
    ).map(([, match]) => match)
  const condition = conditionOf(trigger, name, project)
  if (condition === undefined) {
    const where = {
      ...{ projectIds: [projectId], since, limit: MOST },
      feedbackTypes: trigger.type === 'score' ? [trigger.feedback_type] : [],
    }
    const events = await eventsSince(store, trigger.type as EventType, where, options)
    const all = meant(events, trigger)
    return { matched: all.length, newest: await whole(all.slice(-SHOWN).reverse()) }
  }
  const { count, newest } = preview(projectId, since, condition, SHOWN)
  const [counted, calls] = await Promise.all([
    store.row<{ matched: string }>(count, options),
    store.rows<{ id: string; trace_id: string; op: string; began: string }>(newest, options),
  ])
  const found = calls.map((call) =>
    subjects.ofCall(trigger, { ...call, written: call.began, thread_id: '', bytes: '0', met: [] }),
  )
  return { matched: Number(counted?.matched ?? 0), newest: await whole(found) }
}
