/** The trials of an evaluation: each row of its dataset, once per trial, with the model's prediction. */

import type { EvaluatePlan } from '../domain/evaluation/plan.js'
import type { ProjectRegister } from '../domain/projects/register.js'
import type { Store } from '../platform/clickhouse/store.js'
import { type JsonTree, treeText } from '../platform/json/tree.js'
import { nowMicros } from '../platform/time/iso.js'
import { RowFailure, RunFailure } from './failure.js'
import { stableId } from './ids.js'
import { questionOf } from './judge.js'
import type { Models } from './models.js'
import { type TableRow, tableRows, tableSize } from './reads.js'
import { rowsOf } from './row-texts.js'
import type { Prediction, Row, Trial } from './trial.js'

const PAGE = 200

/** A trial, and the function that makes its prediction. */
export interface Task {
  trial: Trial
  predict: (signal: AbortSignal) => Promise<Prediction>
}

export interface Sources {
  store: Store
  register: ProjectRegister
}

/** Yields the trials of run `id` that are not `finished`: all rows, then all again. @throws RunFailure if the dataset's table is missing */
export async function* evaluationTasks(
  { store, register }: Sources,
  id: string,
  plan: EvaluatePlan,
  models: Models,
  finished: ReadonlySet<string>,
): AsyncGenerator<Task> {
  const { dataset, trials } = plan
  const size = await store.row<{ count: number }>(tableSize(dataset))
  if (!size) throw new RunFailure(`The rows of the dataset ${dataset.ref} were not found.`)
  for (let time = 0; time < trials; time++) {
    for (let from = 0; from < size.count; from += PAGE) {
      const listed = await store.rows<TableRow>(tableRows(dataset, from, from + PAGE))
      const left = listed
        .map((row) => ({ ...row, trial: stableId(id, row.position, row.digest, time) }))
        .filter(({ trial }) => !finished.has(trial))
      const rows = await rowsOf(
        register,
        left.map(({ val }) => val),
      )
      for (const [i, { digest, trial, val }] of left.entries()) {
        const row = rows[i]!
        const example = JSON.stringify(`${dataset.ref}/attr/rows/id/${digest}`)
        yield {
          trial: { id: trial, example, row },
          predict: (signal) => predictionOf(plan, models, row, val !== '', signal),
        }
      }
    }
  }
}

/** @param there false: the dataset names a row that was never stored */
async function predictionOf(
  plan: EvaluatePlan,
  models: Models,
  row: Row,
  there: boolean,
  signal: AbortSignal,
): Promise<Prediction> {
  const startedAt = nowMicros()
  const began = performance.now()
  const inputs = treeText(new Map<string, JsonTree>([['self', plan.model], ...without(row, 'self')]))
  const timed = () => ({
    op: plan.ops.predict,
    inputs,
    startedAt,
    endedAt: nowMicros(),
    latency: (performance.now() - began) / 1000,
  })
  try {
    if (!there) throw new RowFailure('NO_ROW', 'The dataset names this row, but it is not stored.')
    const answer = await models.ask(plan.predict, questionOf(plan.predict, row), signal)
    return {
      ...timed(),
      output: answer.output,
      exception: '',
      unreached: false,
      usage: { [answer.model]: answer.usage },
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RowFailure)) throw error
    const { exception, unreached, usage } = error
    return { ...timed(), output: undefined, exception, unreached, usage }
  }
}

function without(row: Row, key: string): [string, JsonTree][] {
  return [...row].filter(([name]) => name !== key)
}
