/** SQL that recognizes the calls of an evaluation by their op names, whether an SDK or these routes made them. Pure. */

import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { leafHash, TRUNCATED } from '../calls/leaves.js'
import { EPOCH } from '../calls/unset.js'
import { opIs, PREDICT_OP, RUN_OP, SCORE_OP, TRIAL_OP } from './op-names.js'

export const IS_RUN = opIs(RUN_OP)
export const IS_TRIAL = opIs(TRIAL_OP)
export const IS_SCORE = opIs(SCORE_OP)
export const IS_PREDICT = opIs(PREDICT_OP)

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
