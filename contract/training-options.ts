/**
 * The options of training jobs. Client options that change the result of training are supported or refused by name;
 * options that only affect how it is computed, and unknown options, are ignored.
 */
import { z } from 'zod'
import { maybe, shortText } from './shared.js'
import { METHODS } from './training-methods.js'

const rate = z.number().gt(0).max(1)

/** An unsupported option; accepts only values equal to its absence. */
function only(...values: (number | boolean)[]) {
  const usual = [...values.map((value) => JSON.stringify(value)), 'null'].join(' or ')
  return z
    .unknown()
    .refine((value) => value === undefined || value === null || values.includes(value as number), {
      error: ({ path }) =>
        `${String(path?.at(-1))} would change the training and is not supported: omit it, or send ${usual}`,
    })
    .describe(`only ${usual} is supported`)
    .optional()
}

/** Client options that would change the result of training and are not supported. */
export const refused = {
  adam_params: only(),
  allow_training_without_logprobs: only(true),
  grad_accumulation_sequences: only(),
  loss_fn_config: only(),
  moe_routing_replay_bundle: only(),
  moe_routing_replay_path: only(),
  num_trajectories_learning_rate_multiplier_power: only(0),
  packed_sequence_length: only(),
  scale_learning_rate_by_reward_std_dev: only(false),
}

/** The options of RL jobs in the specification. */
export const ExperimentalConfig = z
  .object({
    advantage_balance: maybe(z.number().min(-1).max(1)),
    epsilon: maybe(z.number().min(0)),
    epsilon_high: maybe(z.number().min(0)),
    importance_sampling_level: maybe(z.enum(['token', 'sequence', 'average', 'geometric_average'])),
    kimi_k2_tau: maybe(z.number().min(0)),
    distillation_coef: maybe(z.number().min(0)).describe(
      'weight of the divergence from the teacher whose log-probabilities the trajectories have',
    ),
    kl_penalty_coef: maybe(z.number().min(0)),
    kl_penalty_reference_step: maybe(z.int().min(0)).describe(
      'the checkpoint that kl_penalty_coef compares with; default: the base model',
    ),
    kl_ref_adapter_path: maybe(shortText).describe(
      'name of a checkpoint of any model with the same base, artifact:///entity/project/name:step3, that kl_penalty_coef compares with; wins over kl_penalty_reference_step',
    ),
    learning_rate: maybe(rate),
    loss_fn: maybe(z.enum(['cispo', 'ppo'])).describe('`ppo` is the same as ppo: true'),
    mask_prob_ratio: maybe(z.boolean()),
    max_negative_advantage_importance_sampling_weight: maybe(z.number().min(0)),
    normalize_advantages: maybe(z.boolean()).describe('false is the same as scale_rewards: false'),
    ppo: maybe(z.boolean()),
    precalculate_logprobs: maybe(z.boolean()),
    scale_rewards: maybe(z.boolean()),
    truncated_importance_sampling: maybe(z.number().gt(0)),
    ...refused,
  })
  .refine(({ loss_fn: loss, ppo }) => !loss || typeof ppo !== 'boolean' || ppo === (loss === 'ppo'), {
    message: 'loss_fn and ppo contradict each other: send only one of them',
    path: ['loss_fn'],
  })
  .meta({ id: 'ExperimentalTrainingConfig' })

const weight = z.number().gt(0).max(100)
const KTO_OPTIONS = ['desirable_weight', 'undesirable_weight'] as const

export const SftConfig = z
  .object({
    method: maybe(z.enum(METHODS)).describe(
      'sft, the default: learn the answers; dpo: learn which of two answers is better; kto: learn which answers are good and which bad',
    ),
    batch_size: maybe(z.int().min(1).max(4096)),
    learning_rate: maybe(z.union([rate, z.array(rate).min(1).max(1_000_000)])).describe(
      'a number, or one per batch',
    ),
    epochs: maybe(z.int().min(1).max(1000)).describe('passes over the data; default: one'),
    beta: maybe(weight).describe('dpo, kto: how dear it is to go far from the base model; default: 0.1'),
    desirable_weight: maybe(weight).describe('kto: how much good answers count; default: 1'),
    undesirable_weight: maybe(weight).describe('kto: how much bad answers count; default: 1'),
  })
  .refine(({ method, beta }) => typeof beta !== 'number' || method === 'dpo' || method === 'kto', {
    message: 'beta is an option of dpo and kto: send one of these methods, or omit it',
    path: ['beta'],
  })
  .refine(
    (config) => config.method === 'kto' || KTO_OPTIONS.every((name) => typeof config[name] !== 'number'),
    {
      message: 'desirable_weight and undesirable_weight are options of kto: send method kto, or omit them',
      path: ['method'],
    },
  )
  .refine(({ method, batch_size: size }) => method !== 'kto' || size !== 1, {
    message: 'kto compares the answers of a batch: send at least 2',
    path: ['batch_size'],
  })
  .meta({ id: 'SftTrainingConfig' })

/** The options under the nodes' names. */
export function nodeOptions(config: z.output<typeof ExperimentalConfig>): Record<string, unknown> {
  const { loss_fn: loss, normalize_advantages: normalize, ...rest } = config
  return {
    ...rest,
    ...(loss && { ppo: loss === 'ppo' }),
    ...(normalize === false && { scale_rewards: false }),
  }
}
