/** SQL of the usage that a call itself reports, by model. Pure. */
import { bind, sql } from '../../common/clickhouse/sql.js'

const number = (name: string) => sql`JSONExtractInt(of_model.2, ${bind.string(name)})`
const PROMPT = sql`${number('prompt_tokens')} + ${number('input_tokens')}`
const COMPLETION = sql`${number('completion_tokens')} + ${number('output_tokens')}`

/**
 * A list of tuples: model, requests, prompt, completion, total, cache read and cache creation tokens. Prompt and input are
 * two names of one thing, as are completion and output; a total that is not there is their sum.
 */
export const OWN_USAGE = sql`arrayMap(of_model -> (of_model.1, ${number('requests')}, ${PROMPT}, ${COMPLETION},
  if(${number('total_tokens')} > 0, ${number('total_tokens')}, ${PROMPT} + ${COMPLETION}),
  ${number('cache_read_input_tokens')}, ${number('cache_creation_input_tokens')}), JSONExtractKeysAndValuesRaw(summary, 'usage'))`
