/** SQL that tells the calls of an evaluation by the names of their ops, whoever made them. Pure. */
import { leafHash, TRUNCATED } from '../../common/calls/leaves.js'
import { bind, type Sql, sql } from '../../common/clickhouse/sql.js'

/** An op by its name, plain or in a ref. */
const named = (name: string) => sql`match(op_name, ${bind.string(`(?:^|/op/)${name}(?::[^/:]*)?$`)})`

/** The root of a run. */
export const IS_RUN = named('Evaluation\\.evaluate')

/** What holds one prediction and its scores. The npm SDK writes its name in its own way. */
export const IS_TRIAL = named('[^/:]*\\.(?:predict_and_score|predictAndScore)')

/** The score of a scorer with a class; scorers that are functions have a name of their own. */
export const IS_SCORE = named('[^/:]*\\.score')

/** The call of a model's method that answers. */
export const IS_PREDICT = named('[^/:]*\\.(?:predict|infer|forward|invoke)')

/** The name of the op, of a ref the name part. */
export const OP_SHORT = sql`if(startsWith(op_name, 'weave:///'), decodeURLComponent(replaceRegexpOne(op_name, '^weave:///.*/op/([^/:]+):.*$', ${bind.string('\\1')})), op_name)`

/** A member of `attributes.weave`, '' where there is none. */
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

/** The ref that a call was made on: the Python SDK says `self`, the npm SDK `this`. */
export const SELF = firstOf(sql`JSONExtractString(inputs, 'self')`, sql`JSONExtractString(inputs, 'this')`)
