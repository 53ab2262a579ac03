/** Assembles the JSON of a page of rows from its calls; user data stays as written. Pure. */
import { isScore, predictionAmong } from '../../../domain/evaluation/ops-sql.js'
import { nameIn } from '../../../domain/refs/op-name.js'
import { jsonAt, textAt } from '../call-row.js'
import type { ChildRow, TrialRow } from './detail.js'

/** A row with the calls of its trials. */
export interface RowParts {
  digest: string
  /** JSON text; undefined: not requested */
  data: string | undefined
  trials: readonly TrialRow[]
}

/**
 * JSON text of a row.
 * @param models refs of the runs' models by run, in the order of the request
 * @param children by trial, in order of start; undefined: not requested
 * @param selves refs of the objects that calls were made on, if they were looked up
 */
export function rowText(
  row: RowParts,
  models: ReadonlyMap<string, string>,
  children: ReadonlyMap<string, readonly ChildRow[]> | undefined,
  selves: ReadonlyMap<string, string>,
): string {
  const evaluations = [...models.keys()].flatMap((run) => {
    const trials = row.trials.filter((trial) => trial.run === run)
    if (trials.length === 0) return []
    const texts = trials.map((trial) =>
      trialText(trial, models.get(run) ?? '', selves, children && (children.get(trial.id) ?? [])),
    )
    return [`{"evaluation_call_id":${JSON.stringify(run)},"trials":[${texts.join(',')}]}`]
  })
  return `{"row_digest":${JSON.stringify(row.digest)},"raw_data_row":${row.data ?? 'null'},"evaluations":[${evaluations.join(',')}]}`
}

function trialText(
  trial: TrialRow,
  model: string,
  selves: ReadonlyMap<string, string>,
  children: readonly ChildRow[] | undefined,
): string {
  const scores = objectAt(trial.output, 'scores')
  const names = scoreNames(trial)
  const named = textAt(trial.attributes, ['weave', 'predict_call_id'])
  const prediction = children && predictionAmong(children, { named, model, scores: names })
  const scorers = children ? scorerCalls(names, children, prediction, selves) : new Map<string, ChildRow>()
  const scorerIds = Object.fromEntries([...scorers].map(([name, { id }]) => [name, id]))
  const spans = prediction?.spans || jsonAt(trial.attributes, ['weave', 'genai_span_ref'])
  const usage = children ? prediction : trial
  const parts: [string, string][] = [
    ['predict_and_score_call_id', JSON.stringify(trial.id)],
    ['predict_call_id', JSON.stringify(prediction?.id ?? null)],
    ['ended', String(trial.ended === 1)],
    ['model_output', jsonAt(trial.output, ['output']) ?? jsonAt(trial.output, ['model_output']) ?? 'null'],
    ['scores', scores ?? '{}'],
    ['model_latency_seconds', JSON.stringify(latencyOf(trial) ?? prediction?.seconds ?? null)],
    ['total_tokens', JSON.stringify(usage?.tokens ?? null)],
    ['total_cost', JSON.stringify(usage?.cost ?? null)],
    ['scorer_call_ids', JSON.stringify(scorerIds)],
    ['genai_span_ref', spans?.startsWith('[') ? spans : spans?.startsWith('{') ? `[${spans}]` : 'null'],
  ]
  return `{${parts.map(([key, text]) => `"${key}":${text}`).join(',')}}`
}

function objectAt(text: string, key: string): string | undefined {
  const found = jsonAt(text, [key])
  return found?.startsWith('{') ? found : undefined
}

/** Seconds, from the trial's own output; the SDKs write a number, these routes a mean. */
function latencyOf({ output }: TrialRow): number | undefined {
  const text = jsonAt(output, ['model_latency', 'mean']) ?? jsonAt(output, ['model_latency'])
  return text !== undefined && /^-?\d/.test(text) ? Number(text) : undefined
}

/** The names of a trial's scores. */
function scoreNames({ output }: TrialRow): string[] {
  const scores = objectAt(output, 'scores')
  return scores === undefined ? [] : Object.keys(JSON.parse(scores) as object)
}

/** The call of each score: one with its name, one on an object of its name, or the only one left. */
function scorerCalls(
  scores: readonly string[],
  children: readonly ChildRow[],
  prediction: ChildRow | undefined,
  selves: ReadonlyMap<string, string>,
): Map<string, ChildRow> {
  const calls = children.filter((child) => child !== prediction)
  const found = new Map<string, ChildRow>()
  const rules: ((name: string, call: ChildRow) => boolean)[] = [
    (name, { scorer }) => scorer !== '' && nameIn(scorer) === name,
    (name, { op_name }) => [name, `${name}.score`].includes(nameIn(op_name)),
    (name, { id }) => selves.has(id) && nameIn(selves.get(id)!) === name,
  ]
  for (const isBy of rules) {
    for (const name of scores) {
      // A scorer may have run twice: its last call counts.
      const call = found.has(name) ? undefined : calls.findLast((one) => isBy(name, one))
      if (call) found.set(name, call)
    }
  }
  const taken = new Set(found.values())
  const left = calls.filter((call) => isScore(call) && !taken.has(call))
  const without = scores.filter((name) => !found.has(name))
  if (left.length === 1 && without.length === 1) found.set(without[0]!, left[0]!)
  return found
}

/** Calls that may be scores without a telling name; the objects that they were made on have to be looked up. */
export function nameless(
  trials: readonly TrialRow[],
  children: ReadonlyMap<string, readonly ChildRow[]>,
): ChildRow[] {
  return trials.flatMap((trial) => {
    const calls = children.get(trial.id) ?? []
    const scores = scoreNames(trial)
    const found = scorerCalls(scores, calls, undefined, new Map())
    if (found.size === scores.length) return []
    const taken = new Set(found.values())
    return calls.filter((call) => isScore(call) && !taken.has(call))
  })
}
