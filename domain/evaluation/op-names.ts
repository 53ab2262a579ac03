/** How the names of their ops tell the calls of an evaluation. Pure. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** An op by its name, plain or in a ref: as JavaScript and the engine both read it. */
const named = (name: string) => `(?:^|/op/)${name}(?::[^/:]*)?$`

/** The root of a run. */
export const RUN_OP = named('Evaluation\\.evaluate')

/** What holds one prediction and its scores. The npm SDK writes its name in its own way. */
export const TRIAL_OP = named('[^/:]*\\.(?:predict_and_score|predictAndScore)')

/** The score of a scorer with a class; scorers that are functions have a name of their own. */
export const SCORE_OP = named('[^/:]*\\.score')

/** A model's method that answers. */
export const PREDICT_OP = named('[^/:]*\\.(?:predict|infer|forward|invoke)')

/** Whether a call's op is named so; over a column `op_name`. */
export function opIs(pattern: string): Sql {
  return sql`match(op_name, ${bind.string(pattern)})`
}
