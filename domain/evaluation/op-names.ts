/** Recognises the calls of an evaluation by their op names. Pure. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** Matches an op name, plain or in a ref; valid for both JavaScript and the engine. */
const named = (name: string) => `(?:^|/op/)${name}(?::[^/:]*)?$`

/** The root of a run. */
export const RUN_OP = named('Evaluation\\.evaluate')

/** The parent of one prediction and its scores. The npm SDK spells its name differently. */
export const TRIAL_OP = named('[^/:]*\\.(?:predict_and_score|predictAndScore)')

/** The score of a class-based scorer; function scorers have names of their own. */
export const SCORE_OP = named('[^/:]*\\.score')

/** A model's prediction method. */
export const PREDICT_OP = named('[^/:]*\\.(?:predict|infer|forward|invoke)')

/** True if a call's op name matches; uses the column `op_name`. */
export function opIs(pattern: string): Sql {
  return sql`match(op_name, ${bind.string(pattern)})`
}
