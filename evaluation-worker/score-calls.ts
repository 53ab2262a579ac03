/** Scores existing calls: each call and scorer gives one new call and its feedback. */
import { attributesOf } from '../domain/evaluation/monitored.js'
import type { ScorePlan } from '../domain/evaluation/plan.js'
import { at, parsed } from '../domain/evaluation/scoring/values.js'
import { projectIdOf } from '../platform/ids/project.js'
import type { JsonTree } from '../platform/json/tree.js'
import type { Sources } from './evaluate.js'
import { RowFailure } from './failure.js'
import { stableId } from './ids.js'
import { type CallRow, callsById, finishedAmong } from './reads.js'
import { asRow } from './row-texts.js'
import type { Scorer } from './scorer.js'
import { type Outcome, type Row, scoreOf } from './trial.js'

const PAGE = 50

/** Scores one call with one scorer. */
export type ScoreTask = (signal: AbortSignal) => Promise<Outcome>

/** Yields the unfinished tasks of the job `id`. */
export async function* scoringTasks(
  { store }: Sources,
  { project, userId, id }: { project: string; userId: string; id: string },
  { calls, monitor }: ScorePlan,
  scorers: readonly Scorer[],
): AsyncGenerator<ScoreTask> {
  const projectId = projectIdOf(project)
  for (let from = 0; from < calls.length; from += PAGE) {
    const ids = calls.slice(from, from + PAGE)
    const asked = ids.flatMap((call) =>
      scorers.map((scorer) => ({
        ...{ call, scorer },
        score:
          monitor === undefined
            ? stableId(id, call, scorer.plan.ref)
            : stableId('monitor', projectId, monitor.name, call, scorer.plan.name),
      })),
    )
    const others = ids.flatMap((call) => monitor?.together[call] ?? [])
    const [rows, done] = await Promise.all([
      store.rows<CallRow>(callsById(projectId, [...new Set([...ids, ...others])])),
      store.rows<{ id: string }>(
        finishedAmong(
          projectId,
          asked.map(({ score }) => score),
        ),
      ),
    ])
    const finished = new Set(done.map((one) => one.id))
    for (const { call, scorer, score } of asked) {
      const row = rows.find((one) => one.id === call)
      // A call deleted since then can't be scored.
      if (!row || finished.has(score)) continue
      yield async (signal) => {
        const scored = await scoreOf(
          {
            ...{ project, userId, id: score, traceId: score, parentId: '', of: call },
            ...{ scorer: row.ended === 0 ? unfinished(scorer) : scorer },
            output: parsed(row.output) ?? null,
            row: withOthers(argumentsOf(row), monitor?.together[call], rows),
            ...(monitor && { attributes: attributesOf(monitor.ref), trigger: monitor.ref }),
          },
          signal,
        )
        return { id: score, calls: [scored.call], feedback: scored.feedback ? [scored.feedback] : [] }
      }
    }
  }
}

/** A call's arguments, without the object that it was called on. */
function argumentsOf({ inputs, attributes }: CallRow): Row {
  const given: JsonTree = parsed(inputs) ?? null
  const wrapped = at(parsed(attributes) ?? null, ['weave', 'prediction']) === 'true'
  const row = asRow(wrapped ? (at(given, ['inputs']) ?? null) : given)
  return new Map([...row].filter(([name]) => name !== 'self' && name !== 'this'))
}

/** Adds a column `conversation`, if calls are scored as one: what went in and came out, in order. */
function withOthers(row: Row, ids: readonly string[] | undefined, rows: readonly CallRow[]): Row {
  if (ids === undefined) return row
  const conversation = ids.flatMap((id): JsonTree[] => {
    const call = rows.find((one) => one.id === id)
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
