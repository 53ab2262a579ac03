import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { METHODS, type Method } from './training-methods.js'
import { ExperimentalConfig, nodeOptions, refused, SftConfig } from './training-options.js'

/** What the published client sends where its user says nothing. */
const usual = {
  advantage_balance: 0,
  epsilon: null,
  epsilon_high: null,
  importance_sampling_level: 'token',
  kimi_k2_tau: null,
  learning_rate: 5e-6,
  mask_prob_ratio: false,
  max_negative_advantage_importance_sampling_weight: null,
  ppo: false,
  precalculate_logprobs: false,
  scale_rewards: true,
}

describe('options of RL jobs', () => {
  it.each([
    ['as the client sends them', usual, usual],
    ['whose names nobody knows are passed over', { ...usual, verbose: true, of_tomorrow: 1 }, usual],
    ['that are null', { truncated_importance_sampling: null, loss_fn: null, normalize_advantages: null }, {}],
    [
      'that bound how much a token counts',
      { truncated_importance_sampling: 2 },
      { truncated_importance_sampling: 2 },
    ],
    [
      'that name a checkpoint of another model',
      { kl_ref_adapter_path: 'artifact:///acme/toys/other:step3' },
      { kl_ref_adapter_path: 'artifact:///acme/toys/other:step3' },
    ],
    ['that mean what is done anyway', { allow_training_without_logprobs: true }, {}],
    ['that say PPO in another way', { loss_fn: 'ppo' }, { ppo: true }],
    ['that say CISPO in another way', { loss_fn: 'cispo', ppo: false }, { ppo: false }],
    ['that take advantages as they are', { normalize_advantages: false }, { scale_rewards: false }],
    [
      'of which one scales rewards and the other does not',
      { scale_rewards: true, normalize_advantages: false },
      { scale_rewards: false },
    ],
    [
      'that normalise as usual',
      { normalize_advantages: true, scale_rewards: false },
      { scale_rewards: false },
    ],
  ])('%s', (_, sent, done) => {
    expect(nodeOptions(ExperimentalConfig.parse(sent))).toMatchObject(done)
  })

  it.each<[string, unknown, string]>([
    ['loss_fn', 'importance_sampling', '"cispo"|"ppo"'],
    ['loss_fn_config', { clip: 1 }, 'or send null'],
    ['adam_params', { beta1: 0.9 }, 'or send null'],
    ['grad_accumulation_sequences', 1, 'or send null'],
    ['packed_sequence_length', 2048, 'or send null'],
    ['allow_training_without_logprobs', false, 'or send true or null'],
    ['scale_learning_rate_by_reward_std_dev', true, 'or send false or null'],
    ['num_trajectories_learning_rate_multiplier_power', 0.5, 'or send 0 or null'],
    ['moe_routing_replay_path', '/x', 'or send null'],
  ])('%s: %j is refused by its name', (name, value, said) => {
    const { error } = ExperimentalConfig.safeParse({ ...usual, [name]: value })
    expect(error?.issues.map(({ path }) => path)).toEqual([[name]])
    expect(error?.issues[0]?.message).toContain(said)
    if (name !== 'loss_fn') expect(error?.issues[0]?.message).toContain(name)
  })

  it('that contradict each other are refused', () => {
    const { error } = ExperimentalConfig.safeParse({ ...usual, loss_fn: 'ppo' })
    expect(error?.issues).toMatchObject([{ path: ['loss_fn'], message: expect.stringContaining('ppo') }])
  })
})

/** Options that nodes do not read, and why. */
const ELSEWHERE = {
  method: 'it chooses the recipe',
  loss_fn: 'nodeOptions sends ppo',
  normalize_advantages: 'nodeOptions sends scale_rewards',
  kl_penalty_reference_step: 'the address of the checkpoint is in TrainRequest.reference',
  kl_ref_adapter_path: 'the address of the checkpoint is in TrainRequest.reference',
}

describe('options that nodes read', () => {
  const names = (schema: { shape: object }, without: object) =>
    Object.keys(schema.shape).filter((name) => !(name in ELSEWHERE) && !(name in without))
  /** By what the contract says of a value, whichever it is. */
  const takes = (method: Method, name: string) =>
    [1, 2, true, 'text'].some((value) => SftConfig.safeParse({ method, [name]: value }).success)

  it('are those of training-options.txt, which a test of the model server compares with its own', () => {
    const file = new URL('../proto/heddle/node/v1/training-options.txt', import.meta.url)
    const declared = [
      ...METHODS.flatMap((method) =>
        names(SftConfig, {}).flatMap((name) => (takes(method, name) ? [`${method} ${name}`] : [])),
      ),
      ...names(ExperimentalConfig, refused).map((name) => `rl ${name}`),
    ]
    expect(readFileSync(file, 'utf8').trim().split('\n')).toEqual(declared.toSorted())
  })

  it('are each of some method', () => {
    for (const name of names(SftConfig, {}))
      expect(METHODS.filter((method) => takes(method, name))).not.toEqual([])
  })
})
