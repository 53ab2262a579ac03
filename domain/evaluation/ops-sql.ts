/** Recognises the calls of an evaluation by their op names, whether an SDK or these routes made them. Pure. */

import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { leafHash, TRUNCATED } from '../calls/leaves.js'
import { EPOCH } from '../calls/unset.js'
import { nameIn } from '../refs/op-name.js'

/** Matches an op name, plain or in a ref; valid for both JavaScript and the engine. */
const named = (name: string) => `(?:^|/op/)${name}(?::[^/:]*)?$`

/** The root of a run. */
const RUN_OP = named('Evaluation\\.evaluate')
/** The parent of one prediction and its scores. The npm SDK spells its name differently. */
const TRIAL_OP = named('[^/:]*\\.(?:predict_and_score|predictAndScore)')
/** The score of a class-based scorer; function scorers have names of their own. */
const SCORE_OP = named('[^/:]*\\.score')
/** A model's prediction method. */
const PREDICT_OP = named('[^/:]*\\.(?:predict|infer|forward|invoke)')

/** True if a call's op name matches; uses the column `op_name`. */
const opIs = (pattern: string) => sql`match(op_name, ${bind.string(pattern)})`
export const IS_RUN = opIs(RUN_OP)
export const IS_TRIAL = opIs(TRIAL_OP)
export const IS_SCORE = opIs(SCORE_OP)
export const IS_PREDICT = opIs(PREDICT_OP)

/** The same of a call that was read. */
type Named = Readonly<Record<'op_name', string>>
const opMatches =
  (pattern: RegExp) =>
  ({ op_name }: Named) =>
    pattern.test(op_name)
export const isRun = opMatches(new RegExp(RUN_OP))
export const isTrial = opMatches(new RegExp(TRIAL_OP))
export const isScore = opMatches(new RegExp(SCORE_OP))
const isPredict = opMatches(new RegExp(PREDICT_OP))

/**
 * The prediction among the calls of a trial: the one that it names, else the model's, else one with the name of a
 * prediction method, else the first that is no score.
 */
export function predictionAmong<Call extends Named & { id: string }>(
  calls: readonly Call[],
  { named, model, scores }: { named: unknown; model: string; scores: readonly string[] },
): Call | undefined {
  const others = calls.filter(
    (call) => call.id === named || !(isScore(call) || scores.includes(nameIn(call.op_name))),
  )
  return (
    others.find(({ id }) => id === named) ??
    others.find(({ op_name }) => op_name === model) ??
    others.find(isPredict) ??
    others[0]
  )
}

/** The name of the op; for a ref, its name part. */
export const OP_SHORT = sql`if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', ${bind.string('\\1')})), op_name)`

/** A member of `attributes.weave`, '' if there is none. */
export const mark = (name: string) => sql`JSONExtractString(attributes, 'weave', ${bind.string(name)})`

/** True for calls whose `attributes.weave` has this text; the index of leaves rules out nearly all others. */
export function marked(name: string, text: string): Sql {
  const hashes = bind.hashes([leafHash(`attributes.weave.${name}`, text), TRUNCATED])
  return sql`(hasAny(leaves, ${hashes}) AND ${mark(name)} = ${bind.string(text)})`
}

/** The first of these texts that is not empty. */
export function firstOf(...texts: Sql[]): Sql {
  return texts.reduceRight((rest, text) => sql`if(${text} != '', ${text}, ${rest})`)
}

/** The ref of the object that a call was made on: `self` in the Python SDK, `this` in the npm SDK. */
export const SELF = firstOf(sql`JSONExtractString(inputs, 'self')`, sql`JSONExtractString(inputs, 'this')`)

/** The refs of a run's evaluation and of its model, and its state. */
export const RUN = {
  evaluation: firstOf(mark('evaluation'), SELF),
  model: firstOf(mark('model'), sql`JSONExtractString(inputs, 'model')`),
  status: sql`multiIf(exception != '', 'failed', ended_at = ${EPOCH}, 'running', 'completed')`,
}
