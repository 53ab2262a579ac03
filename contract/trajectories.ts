/**
 * Trajectory groups in requests. Bodies are parsed group by group, so these schemas document the checks of
 * `domain/training/trajectories.ts`; they validate small parts themselves.
 */
import { z } from 'zod'
import { component, openComponent } from './shared.js'

const json = z.record(z.string(), z.unknown())
const numbers = z.record(z.string(), z.union([z.number(), z.boolean()]))
const scalars = z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()]))

const tokenLogprob = z.looseObject({
  token: z.string(),
  logprob: z.number().optional(),
  teacher_logprob: z.number().nullish().describe('by the model to learn from; see distillation_coef'),
})

const choice = openComponent(
  'TrajectoryChoice',
  {
    index: z.int(),
    finish_reason: z.string(),
    message: z.looseObject({ role: z.string(), content: z.unknown() }),
    logprobs: z.looseObject({ content: z.array(tokenLogprob).nullish() }).nullish(),
    token_ids: z
      .array(z.int())
      .nullish()
      .describe('as `return_token_ids` gives them; trained on as they are'),
    prompt_token_ids: z
      .array(z.int())
      .nullish()
      .describe('with token_ids: what they were sampled after, instead of the messages before'),
  },
  { description: 'an answer of the model, which it is trained on' },
)

const item = z.union([choice, z.looseObject({ role: z.string() }).describe('a message: context only')])

const history = { messages_and_choices: z.array(item), tools: z.array(json).nullish() }

const Trajectory = openComponent('Trajectory', {
  ...history,
  additional_histories: z.array(z.looseObject(history)).nullish(),
  reward: z.number().nullish(),
  initial_policy_version: z.int().nullish(),
  final_policy_version: z.int().nullish(),
  metrics: numbers.nullish(),
  metadata: scalars.nullish(),
  logs: z.array(z.string()).nullish(),
})

export const TrajectoryGroup = openComponent('TrajectoryGroup', {
  trajectories: z.array(Trajectory),
  exceptions: z
    .array(z.looseObject({ type: z.string(), message: z.string(), traceback: z.string() }))
    .nullish(),
  metadata: scalars.nullish(),
  metrics: numbers.nullish(),
  logs: z.array(z.string()).nullish(),
})

export const ModelLogBody = component('ModelLog', {
  model_id: z.string().nullish(),
  trajectory_groups: z.array(TrajectoryGroup),
  split: z
    .string()
    .max(200)
    .meta({ examples: ['train', 'val', 'test'] }),
})
