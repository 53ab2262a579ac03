/**
 * What a model's tokens cost: the one rule, which `expression.ts` writes as SQL and `pricing.ts` computes. A price has rates,
 * and may have others for long prompts. Pure.
 */

/** Dollars a token, by kind. */
export const RATES = ['prompt', 'completion', 'cache_read', 'cache_creation'] as const
export type Rate = (typeof RATES)[number]
export type Rates = Readonly<Record<Rate, number>>

/** Rates of all tokens of a request whose prompt has more than `above` tokens. */
export interface Step extends Rates {
  above: number
}

/** The parts of a cost: how many tokens cost which rate. Cached tokens are part of the prompt, but have their own rate. */
export const PARTS = {
  prompt_tokens_total_cost: {
    rate: 'prompt',
    tokens: 'prompt_tokens',
    less: ['cache_read_input_tokens', 'cache_creation_input_tokens'],
  },
  completion_tokens_total_cost: { rate: 'completion', tokens: 'completion_tokens', less: [] },
  cache_read_input_tokens_total_cost: { rate: 'cache_read', tokens: 'cache_read_input_tokens', less: [] },
  cache_creation_input_tokens_total_cost: {
    rate: 'cache_creation',
    tokens: 'cache_creation_input_tokens',
    less: [],
  },
} as const satisfies Record<string, { rate: Rate; tokens: string; less: readonly string[] }>

/** The parts by name, in the order of answers. */
export const COSTS = Object.keys(PARTS) as (keyof typeof PARTS)[]
export type Costs = Record<keyof typeof PARTS, number>

/** All parts together. */
export const totalOf = (costs: Costs): number => COSTS.reduce((sum, cost) => sum + costs[cost], 0)

/** The counts that a cost depends on. */
export type BilledCount = (typeof PARTS)[keyof typeof PARTS]['tokens']
