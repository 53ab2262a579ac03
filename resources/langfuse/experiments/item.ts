/** Items of Langfuse's experiments, and the calls of an evaluation that they become. Pure. */
import { hash } from 'node:crypto'
import { DISPLAY_NAME_LIMIT } from '../../../contract/limits.js'
import { safeName } from '../../../domain/refs/op-name.js'
import { derivedId } from '../../../platform/ids/derived.js'
import { objectText } from '../../../platform/json/members.js'

/** A run of an experiment: the items with one run name, of one dataset or of none. */
export interface RunKey {
  project: string
  /** object id; '': data of the program */
  dataset: string
  name: string
}

/** What is known of a run. */
export interface Run extends RunKey {
  /** id in Langfuse, which scores name */
  experiment: string
  description: string | null
  /** JSON text; 'null' for none */
  metadata: string
}

/** An item of a run: what was asked, and where the answer is. */
export interface RunItem {
  /** of the dataset, or of what was asked */
  item: string
  trace: string
  /** the call with the answer; '': the root of the trace */
  observation: string
  /** JSON text of the row, and its digest */
  example: string
  row: string
  /** µs since the epoch */
  started: number
  /** undefined: nothing is known of it yet */
  answer: Answer | undefined
}

/** What the call of an item says. */
export interface Answer {
  /** µs since the epoch; 0: it has not ended */
  ended: number
  started: number
  /** JSON texts */
  input: string
  output: string
  exception: string
  scores: readonly Score[]
}

export interface Score {
  name: string
  /** JSON text */
  value: string
}

/** A call as it should be stored. */
export interface WantedCall {
  id: string
  parentId: string
  op: 'evaluate' | 'predict_and_score' | 'predict' | 'score'
  opName: string
  displayName?: string
  startedAt: number
  inputs: string
  attributes: string
  /** undefined: it has not ended */
  end: { endedAt: number; output: string; exception: string } | undefined
}

export const runIdOf = ({ project, dataset, name }: RunKey): string =>
  derivedId(`langfuse run ${JSON.stringify([project, dataset, name])}`)

/** The id that Langfuse gives a run of a dataset; SDKs from version 5 on compute it, too. */
export function experimentIdOf({ project, dataset, name }: RunKey): string {
  return hash('sha256', JSON.stringify(['langfuse-experiment-v1', project, dataset, name])).slice(0, 16)
}

/** The id of an item within its run, and of its call. */
export const trialIdOf = (
  run: string,
  { trace, observation }: Pick<RunItem, 'trace' | 'observation'>,
): string => derivedId(`langfuse item ${run} ${observation || trace}`)

/** The longest name of a scorer within the name of an op. */
const OP_PREFIX = 100

/** The root call of a run. @param evaluation ref of the evaluation @param startedAt µs since the epoch */
export function runCall(
  run: Run,
  evaluation: string,
  startedAt: number,
  end?: { endedAt: number; output: string },
): WantedCall {
  const experiment = objectText(
    new Map([
      ['id', JSON.stringify(run.experiment)],
      ['name', JSON.stringify(run.name)],
      ['description', JSON.stringify(run.description)],
      ['metadata', run.metadata],
      ['dataset', JSON.stringify({ id: run.dataset })],
    ]),
  )
  const weave = JSON.stringify({ evaluation_run: 'true', evaluation, model: run.name })
  return {
    ...{ id: runIdOf(run), parentId: '', op: 'evaluate', opName: 'Evaluation.evaluate' },
    displayName: run.name.slice(0, DISPLAY_NAME_LIMIT),
    startedAt,
    inputs: JSON.stringify({ self: evaluation, model: run.name }),
    attributes: `{"weave":${weave},"langfuse":{"experiment":${experiment}}}`,
    end: end && { ...end, exception: '' },
  }
}

/** The calls of an item: the trial, and below it the prediction and the scores. */
export function itemCalls(run: Run, evaluation: string, item: RunItem): WantedCall[] {
  const runId = runIdOf(run)
  const id = trialIdOf(runId, item)
  const { answer, started: startedAt } = item
  const predictionId = derivedId(`langfuse prediction ${id}`)
  const model = JSON.stringify(run.name)
  const { trace: trace_id, observation: observation_id } = item
  const marks = {
    predict_call_id: predictionId,
    row_digest: item.row,
    ...(observation_id && { genai_span_ref: [{ trace_id, span_id: observation_id }] }),
  }
  const said = { experiment: { item: { id: item.item, trace_id, observation_id } } }
  const isEnded = answer !== undefined && answer.ended > 0
  const trial: WantedCall = {
    ...{ id, parentId: runId, op: 'predict_and_score', opName: 'Evaluation.predict_and_score', startedAt },
    inputs: `{"self":${JSON.stringify(evaluation)},"model":${model},"example":${item.example}}`,
    attributes: JSON.stringify({ weave: marks, langfuse: said }),
    end: isEnded
      ? { endedAt: answer.ended, output: trialOutput(answer), exception: answer.exception }
      : undefined,
  }
  if (!isEnded) return [trial]
  const prediction: WantedCall = {
    ...{ id: predictionId, parentId: id, op: 'predict', opName: 'Model.predict', startedAt: answer.started },
    inputs: `{"self":${model},"inputs":${answer.input || 'null'}}`,
    attributes: JSON.stringify({
      weave: { prediction: 'true', model: run.name, evaluation_run_id: runId },
    }),
    end: { endedAt: answer.ended, output: answer.output || 'null', exception: answer.exception },
  }
  const scores = answer.scores.map(
    ({ name, value }): WantedCall => ({
      ...{ id: derivedId(`langfuse score ${id} ${name}`), parentId: id, op: 'score' },
      opName: `${safeName(name).slice(0, OP_PREFIX) || 'unnamed'}.score`,
      startedAt: answer.ended,
      inputs: '{}',
      attributes: JSON.stringify({
        weave: { score: 'true', scorer: name, prediction_id: predictionId, evaluation_run_id: runId },
      }),
      end: { endedAt: answer.ended, output: value, exception: '' },
    }),
  )
  return [trial, prediction, ...scores]
}

function trialOutput({ output, scores, started, ended }: Answer): string {
  return objectText(
    new Map([
      ['output', output || 'null'],
      ['scores', objectText(new Map(scores.map(({ name, value }) => [name, value])))],
      // Langfuse's events have times of their own.
      ['model_latency', JSON.stringify({ mean: Math.max(0, ended - started) / 1e6 })],
    ]),
  )
}

/** A value as a span has it: Langfuse's SDKs write numbers, booleans and null as texts. */
export function saidValue(text: string): string {
  if (!text.startsWith('"')) return text
  const value = String(JSON.parse(text))
  return /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)$/.test(value) ? value : text
}
