/** How a fine-tuning job learns: from answers, from which of two is better, from which are good and which bad. */
export const METHODS = ['sft', 'dpo', 'kto'] as const
export type Method = (typeof METHODS)[number]
