/** Who rewards the answers of an RL job that come without rewards, and how its model is watched while it is trained. */
import { z } from 'zod'
import { orNull, shortText } from './shared.js'

const scorer = shortText
  .min(1)
  .describe('ref of a Rubric, a judge, or a scorer that is no code')
  .meta({ examples: ['weave:///acme/assistant/object/helpful:latest'] })
const path = orNull(z.string().min(1).max(500)).describe(
  'the path to the number in what it says; default: score, value, passed or similarity',
)

export const JobReward = z.object({ scorer, path }).meta({
  id: 'TrainingReward',
  description:
    'rewards every trajectory of the groups in which none has a reward; a Rubric compares the answers of a group with each other',
})

/** A line needs more than two points. */
const LEAST_WINDOW = 3

export const JobCheck = z
  .object({
    dataset: shortText.min(1).describe('ref of a dataset with `user_input` or `messages`; never trained on'),
    scorer: orNull(scorer).describe('default: that of the reward'),
    path,
    every: z.int().min(1).max(10_000).default(1).describe('checkpoints from one check to the next'),
    rows: z.int().min(1).max(200).default(32).describe('the first rows of the dataset'),
    max_tokens: z.int().min(1).max(8192).default(512).describe('of an answer'),
    window: z.int().min(LEAST_WINDOW).max(50).default(5).describe('the last checks that are looked at'),
    min_change: z
      .number()
      .gt(0)
      .default(0.05)
      .describe('how much over the window the reward must rise and the held-out score fall'),
  })
  .meta({
    id: 'TrainingCheck',
    description:
      'before a job of this model is trained, its newest checkpoint answers held-out rows; if the reward rises while these scores fall, the job is paused',
  })
