/** Which parts of a cost Langfuse's SDKs read as that of the input, and as that of the output. Pure. */
import { COSTS } from '../../../domain/costs/rule.js'

export const OUTPUT_COST = 'completion_tokens_total_cost'
/** Cached tokens are part of the input. */
export const INPUT_COSTS = COSTS.filter((cost) => cost !== OUTPUT_COST)
