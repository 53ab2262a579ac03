/** The trials of a run that scores the stored predictions of another run. Predictions are not made again. */

import { refIn } from '../contract/ref.js'
import { predictionAmong } from '../domain/evaluation/ops-sql.js'
import type { RescorePlan } from '../domain/evaluation/plan.js'
import { at, parsed } from '../domain/evaluation/scoring/values.js'
import { projectIdOf } from '../platform/ids/project.js'
import { JsonNumber, type JsonTree, treeText } from '../platform/json/tree.js'
import type { Sources, Task } from './evaluate.js'
import { stableId } from './ids.js'
import { type CallRow, callsBelow, callsById, rowsByDigest, sourceTrials } from './reads.js'
import { asRow, rowsOf } from './row-texts.js'
import type { Prediction, Row } from './trial.js'

const PAGE = 200

/** Yields the trials of run `id` that are not `finished`. @param project `entity/project` of both runs */
export async function* rescoringTasks(
  sources: Sources,
  project: string,
  id: string,
  plan: RescorePlan,
  finished: ReadonlySet<string>,
): AsyncGenerator<Task> {
  const { store } = sources
  const projectId = projectIdOf(project)
  const before = await store.rows<{ id: string }>(sourceTrials(projectId, plan.source))
  const left = before.map((trial) => trial.id).filter((one) => !finished.has(stableId(id, one)))
  for (let from = 0; from < left.length; from += PAGE) {
    const ids = left.slice(from, from + PAGE)
    const [trials, children] = await Promise.all([
      store.rows<CallRow>(callsById(projectId, ids)),
      store.rows<CallRow>(callsBelow(projectId, ids)),
    ])
    const rows = await examplesOf(sources, project, plan, trials)
    for (const [i, trial] of trials.entries()) {
      const { example, row } = rows[i]!
      const below = children.filter((child) => child.parent_id === trial.id)
      const prediction = storedPrediction(plan, trial, predictionOf(trial, below, plan.model))
      yield { trial: { id: stableId(id, trial.id), example, row }, predict: async () => prediction }
    }
  }
}

/** A trial's example as its call holds it, and the row itself. */
async function examplesOf(
  { store, register }: Sources,
  project: string,
  plan: RescorePlan,
  trials: readonly CallRow[],
): Promise<{ example: string; row: Row }[]> {
  const examples = trials.map(({ inputs }) => at(parsed(inputs) ?? null, ['example']) ?? null)
  const may = [...new Set([project, refIn(plan.evaluation)?.project])].filter((name) => name !== undefined)
  const digests = examples.map((example) => rowDigest(example, may))
  const wanted = [...new Set(digests.filter((digest) => digest !== undefined))]
  const stored =
    wanted.length === 0
      ? []
      : await store.rows<{ digest: string; val: string }>(rowsByDigest(may.map(projectIdOf), wanted))
  const read = await rowsOf(
    register,
    stored.map(({ val }) => val),
  )
  const byDigest = new Map(stored.map(({ digest }, i) => [digest, read[i]!]))
  return examples.map((example, i) => ({
    example: treeText(example),
    row: (digests[i] !== undefined && byDigest.get(digests[i])) || asRow(example),
  }))
}

/** @returns the digest in a dataset row's ref, undefined unless its project may be read */
function rowDigest(example: JsonTree, may: readonly string[]): string | undefined {
  if (typeof example !== 'string') return undefined
  const project = refIn(example)?.project
  if (project === undefined || !may.includes(project)) return undefined
  return /\/id\/([^/]+)$/.exec(example)?.[1]
}

/** The prediction call of a trial. */
function predictionOf(trial: CallRow, children: readonly CallRow[], model: string): CallRow | undefined {
  const named = at(parsed(trial.attributes) ?? null, ['weave', 'predict_call_id'])
  const scores = at(parsed(trial.output) ?? null, ['scores'])
  return predictionAmong(children, { named, model, scores: scores instanceof Map ? [...scores.keys()] : [] })
}

/** The stored prediction, as the new run shows it. The trial's output counts, not the call's. */
function storedPrediction(plan: RescorePlan, trial: CallRow, call: CallRow | undefined): Prediction {
  const told = parsed(trial.output) ?? null
  const output = at(told, ['output']) ?? at(told, ['model_output']) ?? null
  const latency = at(told, ['model_latency', 'mean']) ?? at(told, ['model_latency'])
  const inputs = treeText(new Map([['self', plan.model]]))
  const exception = call?.exception ?? ''
  return {
    op: call?.op_name || plan.ops.predict,
    inputs: call?.inputs || inputs,
    startedAt: call?.started ?? trial.started,
    endedAt: call?.ended || trial.ended,
    output: exception === '' ? output : undefined,
    exception,
    unreached: false,
    latency: latency instanceof JsonNumber ? Number(latency.text) : undefined,
    usage: {},
  }
}
