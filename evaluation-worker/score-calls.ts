/** Scores existing calls: each call and scorer gives one new call and its feedback. */
import { SPAN_STATUSES } from '../domain/agents/keys.js'
import { attributesOf } from '../domain/evaluation/monitored.js'
import type { MonitorPlan, ScorePlan } from '../domain/evaluation/plan.js'
import { at, parsed } from '../domain/evaluation/scoring/values.js'
import { type TurnFeedback, turnScoreOf } from '../domain/feedback/agent-monitor.js'
import type { RunnableFeedback } from '../domain/feedback/runnable.js'
import { projectIdOf } from '../platform/ids/project.js'
import { type JsonTree, treeValue } from '../platform/json/tree.js'
import type { Sources } from './evaluate.js'
import { RowFailure } from './failure.js'
import { stableId } from './ids.js'
import type { Models } from './models.js'
import { type CallRow, callsById, finishedAmong } from './reads.js'
import { asRow } from './row-texts.js'
import { type Scorer, scorerOf } from './scorer.js'
import { type Outcome, type Row, scoreOf } from './trial.js'

/** Scores of which the calls are read at once. */
const PAGE = 200
/** Scores that are looked up at once; a multiple of {@link PAGE}. */
const LOOKED_UP = 2000

/** Scores one call with one scorer. */
export type ScoreTask = (signal: AbortSignal) => Promise<Outcome>

/** What is to be scored. */
interface Ask {
  call: string
  scorer: Scorer
  /** id of the score's call */
  score: string
  /** calls that are scored as one with it, in order */
  together?: readonly string[] | undefined
  /** that matched it */
  monitor?: { ref: string; name: string }
  /** whether it is the turn of an agent */
  isTurn?: boolean
  /** µs since the epoch, when the first of its calls began; default: unknown */
  began?: number
}

/** Where the calls of a job are. */
interface Place {
  project: string
  userId: string
  /** µs since the epoch: no score began before */
  since: number
}

/** The unfinished tasks of the job `id`. */
export function scoringTasks(
  sources: Sources,
  { project, userId, id }: { project: string; userId: string; id: string },
  { calls }: ScorePlan,
  scorers: readonly Scorer[],
): AsyncGenerator<ScoreTask> {
  const asks = calls.flatMap((call) =>
    scorers.map((scorer) => ({ call, scorer, score: stableId(id, call, scorer.plan.ref) })),
  )
  return tasksOf(sources, { project, userId, since: 0 }, asks)
}

/** The unfinished tasks of what monitors matched; a match that another job has, too, has the same id there. */
export function monitorTasks(
  sources: Sources,
  { project, userId }: { project: string; userId: string },
  { matches, since }: MonitorPlan,
  models: Models,
): AsyncGenerator<ScoreTask> {
  const projectId = projectIdOf(project)
  const asks = matches.flatMap(({ ref, name, calls, together, turns, scorers }) => {
    const made = scorers.map((plan) => scorerOf(plan, models))
    return calls.flatMap(([call, began]) =>
      made.map((scorer) => ({
        score: stableId('monitor', projectId, name, call, scorer.plan.name),
        ...{ call, scorer, began, together: together[call], monitor: { ref, name }, isTurn: turns },
      })),
    )
  })
  // Calls of a page lie close together, so little else is read.
  asks.sort((left, right) => left.began - right.began)
  return tasksOf(sources, { project, userId, since }, asks)
}

async function* tasksOf(
  { store }: Sources,
  { project, userId, since }: Place,
  asks: readonly Ask[],
): AsyncGenerator<ScoreTask> {
  const projectId = projectIdOf(project)
  let finished = new Set<string>()
  for (let from = 0; from < asks.length; from += PAGE) {
    if (from % LOOKED_UP === 0) {
      const scores = asks.slice(from, from + LOOKED_UP).map(({ score }) => score)
      const done = await store.rows<{ id: string }>(finishedAmong(projectId, scores, since))
      finished = new Set(done.map(({ id }) => id))
    }
    const page = asks.slice(from, from + PAGE).filter(({ score }) => !finished.has(score))
    const ids = [...new Set(page.flatMap(({ call, together = [] }) => [call, ...together]))]
    if (ids.length === 0) continue
    const began = page.map((ask) => ask.began ?? 0)
    const rows = await store.rows<CallRow>(callsById(projectId, ids, Math.min(...began), lastOf(page)))
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const { call, scorer, score, together, monitor, isTurn = false } of page) {
      const row = byId.get(call)
      // A call deleted since then can't be scored.
      if (!row) continue
      const whole = scorer.of?.({ project, call: row, score, monitor, isTurn }) ?? scorer
      yield async (signal) => {
        const scored = await scoreOf(
          {
            ...{ project, userId, id: score, traceId: score, parentId: '', of: call },
            ...{ scorer: row.ended === 0 ? unfinished(whole) : whole },
            output: parsed(row.output) ?? null,
            row: withOthers(argumentsOf(row), together, byId),
            ...(monitor && { attributes: attributesOf(monitor.ref), trigger: monitor.ref }),
          },
          signal,
        )
        const { feedback } = scored
        return {
          ...{ id: score, calls: [scored.call], feedback: feedback ? [feedback] : [] },
          turns: isTurn && feedback ? onTurn(feedback, scored.value, row) : [],
        }
      }
    }
  }
}

/** What a score says of the turn that a call is. */
function onTurn(feedback: RunnableFeedback, value: JsonTree | undefined, row: CallRow): TurnFeedback[] {
  const score = turnScoreOf(feedback.name, treeValue(value ?? null))
  if (score === undefined) return []
  const turn = {
    ...{ span_trace_id: row.trace_id, span_conversation_id: row.conversation },
    ...{ span_agent_name: row.agent_name, span_agent_version: row.agent_version },
    span_status_code: SPAN_STATUSES[row.span_status]!,
  }
  const scorerTrace = feedback.callRef.split('/').at(-1)!
  return [{ ...feedback, id: stableId(feedback.id, 'turn'), turn, score, scorerTrace }]
}

/** When the last of these calls began; undefined: that is unknown. */
function lastOf(page: readonly Ask[]): number | undefined {
  if (page.some(({ began, together }) => began === undefined || together !== undefined)) return undefined
  return Math.max(...page.map(({ began }) => began!))
}

/** A call's arguments, without the object that it was called on. */
function argumentsOf({ inputs, attributes }: CallRow): Row {
  const given: JsonTree = parsed(inputs) ?? null
  const wrapped = at(parsed(attributes) ?? null, ['weave', 'prediction']) === 'true'
  const row = asRow(wrapped ? (at(given, ['inputs']) ?? null) : given)
  return new Map([...row].filter(([name]) => name !== 'self' && name !== 'this'))
}

/** Adds a column `conversation`, if calls are scored as one: what went in and came out, in order. */
function withOthers(row: Row, ids: readonly string[] | undefined, rows: ReadonlyMap<string, CallRow>): Row {
  if (ids === undefined) return row
  const conversation = ids.flatMap((id): JsonTree[] => {
    const call = rows.get(id)
    if (!call) return []
    const entry: [string, JsonTree][] = [
      ['inputs', new Map(argumentsOf(call))],
      ['output', parsed(call.output) ?? null],
    ]
    return [new Map(entry)]
  })
  return new Map([...row, ['conversation', conversation]])
}

function unfinished(scorer: Scorer): Scorer {
  const score = async () => {
    throw new RowFailure('NOT_ENDED', 'The call has no output yet; score it again when it has ended.')
  }
  return { ...scorer, score }
}
