/** Scores existing calls: each call and scorer gives one new call and its feedback. */
import { SPAN_STATUSES } from '../domain/agents/keys.js'
import { attributesOf } from '../domain/evaluation/monitored.js'
import { AT_ONCE, type MonitorPlan, type ScorePlan } from '../domain/evaluation/plan.js'
import { argumentsOf } from '../domain/evaluation/scoring/arguments.js'
import { looksAtInputs } from '../domain/evaluation/scoring/score.js'
import { parsed } from '../domain/evaluation/scoring/values.js'
import { type TurnFeedback, turnScoreOf } from '../domain/feedback/agent-monitor.js'
import type { RunnableFeedback } from '../domain/feedback/runnable.js'
import { projectIdOf } from '../platform/ids/project.js'
import { type JsonTree, treeText, treeValue } from '../platform/json/tree.js'
import { nowMicros } from '../platform/time/iso.js'
import type { Sources } from './evaluate.js'
import { RowFailure } from './failure.js'
import { stableId } from './ids.js'
import type { Models } from './models.js'
import { type CallRow, callsById, finishedAmong } from './reads.js'
import { type Scorer, scorerOf } from './scorer.js'
import { type Outcome, type Row, scoreOf } from './trial.js'

/** Scores that are looked up at once. */
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
  /** nothing is kept but what is true, and that without a call of the scorer */
  foundOnly?: boolean
  /** µs since the epoch, when the first of its calls began; default: unknown */
  began?: number
}

/** Where the calls of a job are. */
interface Place {
  project: string
  userId: string
  /** µs since the epoch: no score began before */
  since: number
  /** calls that are read at once */
  atOnce: number
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
  return tasksOf(sources, { project, userId, since: 0, atOnce: AT_ONCE }, asks)
}

/** The unfinished tasks of what monitors matched; a match that another job has, too, has the same id there. */
export function monitorTasks(
  sources: Sources,
  { project, userId }: { project: string; userId: string },
  { matches, since, atOnce }: MonitorPlan,
  models: Models,
): AsyncGenerator<ScoreTask> {
  const projectId = projectIdOf(project)
  const asks = matches.flatMap(({ ref, name, calls, together, turns, foundOnly, scorers }) => {
    const made = scorers.map((plan) => scorerOf(plan, models))
    return calls.flatMap(([call, began]) =>
      made.map((scorer) => ({
        score: stableId('monitor', projectId, name, call, scorer.plan.name),
        ...{ call, scorer, began, together: together[call] },
        ...{ monitor: { ref, name }, isTurn: turns, foundOnly },
      })),
    )
  })
  // Calls of a page lie close together, so little else is read.
  asks.sort((left, right) => left.began - right.began)
  // Nobody waits for these, and writers would for the small parts that are made for readers.
  return tasksOf(
    { ...sources, store: sources.store.inBackground() },
    { project, userId, since, atOnce },
    asks,
  )
}

async function* tasksOf(
  { store }: Sources,
  { project, userId, since, atOnce }: Place,
  asks: readonly Ask[],
): AsyncGenerator<ScoreTask> {
  const projectId = projectIdOf(project)
  for (let from = 0; from < asks.length; from += LOOKED_UP) {
    const some = asks.slice(from, from + LOOKED_UP)
    const kept = some.filter(({ foundOnly }) => !foundOnly).map(({ score }) => score)
    const done =
      kept.length === 0 ? [] : await store.rows<{ id: string }>(finishedAmong(projectId, kept, since, userId))
    const finished = new Set(done.map(({ id }) => id))
    for (const page of pagesOf(
      some.filter(({ score }) => !finished.has(score)),
      atOnce,
    ))
      yield* pageTasks({ store, project, userId }, page)
  }
}

/** The asks in order, in pieces about so many calls as are read at once. */
function* pagesOf(asks: readonly Ask[], atOnce: number): Generator<Ask[]> {
  let page: Ask[] = []
  let calls = new Set<string>()
  for (const ask of asks) {
    if (calls.size === atOnce && !calls.has(ask.call)) {
      yield page
      page = []
      calls = new Set()
    }
    page.push(ask)
    calls.add(ask.call)
  }
  if (page.length > 0) yield page
}

async function* pageTasks(
  { store, project, userId }: Pick<Place, 'project' | 'userId'> & Pick<Sources, 'store'>,
  page: readonly Ask[],
): AsyncGenerator<ScoreTask> {
  const ids = [...new Set(page.flatMap(({ call, together = [] }) => [call, ...together]))]
  const began = page.map((ask) => ask.began ?? 0)
  const rows = await store.rows<CallRow>(
    callsById(projectIdOf(project), ids, {
      ...{ since: Math.min(...began), until: lastOf(page) },
      inputs: page.some(({ scorer, foundOnly }) => foundOnly || looksAtInputs(scorer.plan.rule)),
    }),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  let read: Read | undefined
  for (const ask of page) {
    const { call, scorer, score, together, monitor, isTurn = false } = ask
    const row = byId.get(call)
    // A call deleted since then can't be scored.
    if (!row) continue
    // Its scorers stand together.
    if (read?.row !== row) read = { row, output: parsed(row.output) ?? null, given: argumentsOf(row) }
    const { output, given } = read
    if (ask.foundOnly) {
      // Exporters may leave out what was said: then there is no answer to look at either.
      if (given.size === 0) continue
      const found = read
      yield (signal) => foundBy(scorer, { project, userId, id: score, isTurn }, found, signal)
      continue
    }
    const whole = scorer.of?.({ project, call: row, score, monitor, isTurn }) ?? scorer
    yield async (signal) => {
      const scored = await scoreOf(
        {
          ...{ project, userId, id: score, traceId: score, parentId: '', of: call },
          ...{ scorer: row.ended === 0 ? unfinished(whole) : whole },
          ...{ output, row: withOthers(given, together, byId) },
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

/** A call as scorers see it. */
interface Read {
  row: CallRow
  output: JsonTree
  given: Row
}

/** The feedback of a scorer on a call, if it found something. What people deleted of it stays deleted. */
async function foundBy(
  scorer: Scorer,
  { project, userId, id, isTurn }: { project: string; userId: string; id: string; isTurn: boolean },
  { row, output, given }: Read,
  signal: AbortSignal,
): Promise<Outcome> {
  const { value } = await scorer.score(output, given, signal)
  if (!(value instanceof Map) || value.get('value') !== true) return { id, calls: [], feedback: [] }
  const feedback: RunnableFeedback = {
    ...{ project, userId, id: stableId(id, 'feedback'), callId: row.id, name: scorer.plan.name },
    ...{ payload: `{"output":${treeText(value)}}`, runnableRef: '', callRef: '', madeAt: nowMicros() },
  }
  return { id, calls: [], feedback: [feedback], turns: isTurn ? onTurn(feedback, value, row) : [] }
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
