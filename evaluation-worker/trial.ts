/** Runs one trial of one row and makes its calls and feedback, in the form that the SDKs write. */

import { refText } from '../contract/ref.js'
import type { FinishedCall } from '../domain/calls/record.js'
import type { TurnFeedback } from '../domain/feedback/agent-monitor.js'
import type { RunnableFeedback } from '../domain/feedback/runnable.js'
import { type JsonTree, treeText } from '../platform/json/tree.js'
import { nowMicros } from '../platform/time/iso.js'
import { type Usage, UsageSums } from './answer.js'
import { RowFailure } from './failure.js'
import { stableId } from './ids.js'
import type { Scorer } from './scorer.js'

export type Row = ReadonlyMap<string, JsonTree>

/** What all trials of a run share. */
export interface Run {
  /** `entity/project` */
  project: string
  userId: string
  /** id of the root call and of the trace */
  id: string
  /** refs */
  evaluation: string
  model: string
  trialOp: string
  scorers: readonly Scorer[]
}

export interface Trial {
  /** id of the call that holds the prediction and its scores */
  id: string
  /** the row as the call shows it: JSON text of a ref, or of the row itself */
  example: string
  row: Row
}

/** A model's prediction for a row, new or stored. */
export interface Prediction {
  op: string
  /** JSON text */
  inputs: string
  startedAt: number
  endedAt: number
  /** undefined: the exception says why there is none */
  output: JsonTree | undefined
  exception: string
  /** the model could not be reached */
  unreached: boolean
  /** seconds */
  latency: number | undefined
  usage: Record<string, Usage>
}

/** All that is written for a trial, together. */
export interface Outcome {
  id: string
  calls: FinishedCall[]
  feedback: RunnableFeedback[]
  /** of monitors, on turns of agents; default: none */
  turns?: TurnFeedback[]
}

/** Makes a prediction, scores it, and assembles the outcome. @throws the abort reason of `signal` */
export async function outcomeOf(
  run: Run,
  trial: Trial,
  predict: () => Promise<Prediction>,
  signal: AbortSignal,
): Promise<Outcome> {
  const startedAt = nowMicros()
  const predictionId = stableId(trial.id, 'predict')
  const prediction = await predict()
  const { output } = prediction
  const scored =
    output === undefined
      ? []
      : await Promise.all(
          run.scorers.map((scorer) => scoreCall(run, trial, scorer, output, predictionId, signal)),
        )
  signal.throwIfAborted()
  const scores = scored.flatMap(({ name, value }) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${treeText(value)}`],
  )
  const usage = new UsageSums()
  for (const one of [prediction, ...scored]) usage.add(one.usage)
  const calls = [predictionCall(run, trial, prediction, predictionId), ...scored.map(({ call }) => call)]
  const failed = calls.filter(({ exception }) => exception !== '').length
  const unreached = [prediction, ...scored].find((one) => one.unreached)
  const latency = prediction.latency ?? null
  const call: FinishedCall = {
    ...within(run, trial.id, run.id),
    opName: run.trialOp,
    startedAt,
    endedAt: nowMicros(),
    inputs: `{"self":${JSON.stringify(run.evaluation)},"model":${JSON.stringify(run.model)},"example":${trial.example}}`,
    output: `{"output":${output === undefined ? 'null' : treeText(output)},"scores":{${scores.join(',')}},"model_latency":${latency}}`,
    attributes: JSON.stringify({ weave: { predict_call_id: predictionId } }),
    summary: summaryText(usage.result(), calls.length + 1 - failed, failed),
    // A row whose model could not be reached has no result, and the run's error names it.
    exception: unreached?.exception ?? '',
    descendantErrors: failed,
  }
  return {
    id: trial.id,
    calls: [...calls, call],
    feedback: scored.flatMap(({ feedback }) => feedback ?? []),
  }
}

function within(run: Run, id: string, parentId: string) {
  const { project, userId } = run
  return { project, userId, id, traceId: run.id, parentId }
}

function predictionCall(run: Run, trial: Trial, prediction: Prediction, id: string): FinishedCall {
  const { op, inputs, startedAt, endedAt, output, exception, usage } = prediction
  const failed = exception === '' ? 0 : 1
  return {
    ...within(run, id, trial.id),
    ...{ opName: op, inputs, startedAt, endedAt, exception },
    output: output === undefined ? '' : treeText(output),
    attributes: '{}',
    summary: summaryText(usage, 1 - failed, failed),
  }
}

/** A score, with its call and feedback. */
export interface ScoredCall {
  name: string
  value: JsonTree | undefined
  usage: Record<string, Usage>
  exception: string
  /** its model could not be reached */
  unreached: boolean
  call: FinishedCall
  feedback: RunnableFeedback | undefined
}

async function scoreCall(
  run: Run,
  trial: Trial,
  scorer: Scorer,
  output: JsonTree,
  predictionId: string,
  signal: AbortSignal,
): Promise<ScoredCall> {
  const id = stableId(trial.id, 'score', scorer.plan.ref)
  return scoreOf({ ...within(run, id, trial.id), scorer, output, row: trial.row, of: predictionId }, signal)
}

export interface ToScore {
  /** `entity/project` */
  project: string
  userId: string
  /** id of the score's call */
  id: string
  traceId: string
  parentId: string
  scorer: Scorer
  output: JsonTree
  row: Row
  /** id of the scored call */
  of: string
  /** JSON text: those of the score's call; default: none */
  attributes?: string
  /** ref of what asked for the score; default: a user did */
  trigger?: string
}

/** Runs a scorer and makes the call that records its score or failure. */
export async function scoreOf(ask: ToScore, signal: AbortSignal): Promise<ScoredCall> {
  const { project, userId, id, traceId, parentId, scorer, output, row } = ask
  const { ref, name, op } = scorer.plan
  const startedAt = nowMicros()
  const { value, usage, exception, unreached } = await answered(
    () => scorer.score(output, row, signal),
    signal,
  )
  const inputs = new Map<string, JsonTree>([...scorer.shown(row), ['self', ref], ['output', output]])
  const failed = exception === '' ? 0 : 1
  const call: FinishedCall = {
    ...{ project, userId, id, traceId, parentId, opName: op, startedAt, endedAt: nowMicros(), exception },
    inputs: treeText(inputs),
    output: value === undefined ? '' : treeText(value),
    attributes: ask.attributes ?? '{}',
    summary: summaryText(usage, 1 - failed, failed),
  }
  return {
    name,
    value,
    usage,
    exception,
    unreached,
    call,
    feedback: value === undefined ? undefined : feedbackOn(ask, treeText(value)),
  }
}

async function answered(
  work: () => Promise<{ value: JsonTree; usage: Record<string, Usage> }>,
  signal: AbortSignal,
): Promise<Pick<ScoredCall, 'value' | 'usage' | 'exception' | 'unreached'>> {
  try {
    return { ...(await work()), exception: '', unreached: false }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RowFailure)) throw error
    const { exception, unreached, usage } = error
    return { value: undefined, usage, exception, unreached }
  }
}

function feedbackOn(
  { project, userId, id, of, scorer, trigger = '' }: ToScore,
  value: string,
): RunnableFeedback {
  return {
    ...{ project, userId, callId: of, payload: `{"output":${value}}` },
    id: stableId(id, 'feedback'),
    name: scorer.plan.name,
    runnableRef: scorer.plan.ref,
    triggerRef: trigger,
    callRef: refText({ project, kind: 'call', id, steps: [] }),
  }
}

function summaryText(usage: Record<string, Usage>, success: number, error: number): string {
  const used = Object.keys(usage).length === 0 ? {} : { usage }
  return JSON.stringify({ ...used, status_counts: { success, error } })
}
