/**
 * Training data from the tracing interface: a dataset or queried calls, how their rows become examples, and the route
 * that previews them.
 */
import { z } from 'zod'
import { errors } from '../platform/errors/catalog.js'
import { route } from '../platform/http/route.js'
import { eitherName } from './aliases.js'
import { CallsFilter, SortBy } from './calls-read.js'
import { Query } from './query-expr.js'
import { refIn } from './ref.js'
import { component, openComponent, orNull, projectId } from './shared.js'
import { JobReward } from './training-guidance.js'
import { METHODS } from './training-methods.js'

/** Most calls per query; datasets are not limited. */
const MOST_CALLS = 1_000_000
const text = z.string().min(1).max(10_000)
const path = z.string().min(1).max(500)

/** The service's own scheme for refs; the rest is the grammar of all refs. */
const OWN_SCHEME = 'heddle:///'

const dataset = z
  .string()
  .max(2000)
  .overwrite((ref) => (ref.startsWith(OWN_SCHEME) ? `weave:///${ref.slice(OWN_SCHEME.length)}` : ref))
  .refine(
    isDataset,
    'Should be a ref of a dataset, weave:///entity/project/object/name:version, or of a table',
  )
  .meta({
    description: 'a dataset, or a table',
    examples: ['weave:///acme/assistant/object/good-answers:latest'],
  })

const TracedCalls = component(
  'TracedCalls',
  {
    project_id: projectId,
    filter: orNull(eitherName(CallsFilter)),
    query: orNull(Query),
    sort_by: orNull(z.array(SortBy)).describe('the order of training; default: started_at, ascending'),
    limit: z.int().min(1).max(MOST_CALLS).default(10_000),
  },
  { description: 'the calls that /calls/stream_query finds with the same fields' },
)

const PairTemplate = component(
  'PairTemplate',
  {
    system: orNull(text),
    prompt: text.meta({ examples: ['Translate: {inputs.text}'] }),
    completion: text.meta({ examples: ['{output}'] }),
    rejected: orNull(text).describe('for DPO: the answer that is worse than the completion'),
  },
  {
    description:
      'texts with {dotted.paths} into a call or a row; {{ is a brace. Takes precedence over other fields of the row',
  },
)

const Reward = z
  .discriminatedUnion('from', [
    z.object({
      from: z.literal('reaction'),
      values: z
        .record(z.string(), z.number())
        .default({ '👍': 1, '👎': 0 })
        .describe('the reward of each emoji; skin tones are ignored'),
    }),
    z.object({
      from: z.literal('feedback'),
      feedback_type: z.string().min(1).max(512),
      path: path.describe('the path into the payload: a number, or true (1) or false (0)'),
    }),
    z.object({
      from: z.literal('scorer'),
      name: z.string().min(1).max(256).describe('the name in the feedback type …runnable.<name>'),
      path: orNull(path).describe('the path into its output, if that is an object'),
    }),
    z.object({
      from: z.literal('column'),
      path: path.describe('the path into the call or the row'),
    }),
  ])
  .meta({ id: 'TracedReward', description: 'the mean, if a call has several' })

/** The source that SFT and RL jobs accept instead of inline data. */
export const TrainingDataSource = z
  .object({
    dataset: orNull(dataset),
    calls: orNull(TracedCalls),
    template: orNull(PairTemplate),
    reward: orNull(Reward).describe('default for KTO: reactions to calls, the column `label` of rows'),
    min_reward: orNull(z.number()).describe(
      'for SFT: rows with a lower reward or none are skipped; for KTO: answers with at least this reward are good, others bad; default there: 0.5',
    ),
    keep_duplicates: z.boolean().default(false),
    sessions: z
      .boolean()
      .default(false)
      .describe(
        'calls of one thread (else of one trace) are one trajectory, by the tokens that are kept beside them; its reward is the mean of those of its calls',
      ),
  })
  .refine((source) => (source.dataset === null) !== (source.calls === null), {
    message: 'Should name either a dataset or calls',
    path: ['dataset'],
  })
  .refine((source) => source.min_reward === null || source.reward !== null, {
    message: 'Needs a reward to compare with',
    path: ['min_reward'],
  })
  .refine((source) => !source.sessions || (source.calls !== null && source.template === null), {
    message: 'Should come with calls, and without a template',
    path: ['sessions'],
  })
  .refine((source) => !source.sessions || source.calls === null || source.calls.sort_by === null, {
    message: 'Should be omitted with sessions: turns are in the order of their times',
    path: ['calls', 'sort_by'],
  })
  .meta({ id: 'TrainingDataSource' })
export type TrainingDataSource = z.output<typeof TrainingDataSource>

/** The source in a `training_data_url`; undefined if it is no ref. @throws `BAD_REQUEST` for a ref of no dataset */
export function sourceOfUrl(url: string): TrainingDataSource | undefined {
  if (!url.startsWith(OWN_SCHEME) && !url.startsWith('weave:///')) return undefined
  const { data } = TrainingDataSource.safeParse({ dataset: url })
  if (data) return data
  throw errors.badRequest(
    `"${url.slice(0, 200)}" is not a ref of a dataset; send weave:///entity/project/object/name:version.`,
  )
}

function isDataset(ref: string): boolean {
  const kind = refIn(ref)?.kind
  return kind === 'object' || kind === 'table'
}

/** Why rows are skipped. Stable. */
export const LeftOutReason = z
  .enum([
    'failed',
    'unfinished',
    'no_messages',
    'no_answer',
    'bad_message',
    'not_text',
    'unresolved_ref',
    'no_value',
    'no_reward',
    'low_reward',
    'single_answer',
    'same_rewards',
    'same_answers',
    'no_pair',
    'duplicate',
    'secret',
    'too_long',
    'no_token_ids',
  ])
  .meta({ id: 'LeftOutReason' })
export type LeftOutReason = z.output<typeof LeftOutReason>

const Message = z.looseObject({ role: z.string(), content: z.string().nullable() })

/** A sequence as a model had it, so that nothing is tokenised again. */
const ExampleTokens = component('ExampleTokens', {
  vocabulary: z.string().describe('of the ids; another model is trained on the messages, tokenised anew'),
  ids: z.array(z.int()),
  trained: z.array(z.array(z.int())).describe('[from, to] of the completions in `ids`'),
})

const ChatExample = component('ChatExample', {
  messages: z.array(Message),
  tokens: ExampleTokens.optional(),
  tools: z.array(z.record(z.string(), z.unknown())).optional(),
})

const PairExample = component('AnswerPairExample', {
  prompt: z.array(Message),
  chosen: z.array(Message),
  rejected: z.array(Message),
  tools: z.array(z.record(z.string(), z.unknown())).optional(),
})

const JudgedExample = component('JudgedAnswerExample', {
  prompt: z.array(Message),
  completion: z.array(Message),
  label: z.boolean().describe('whether the answer is good'),
  tools: z.array(z.record(z.string(), z.unknown())).optional(),
})

const GroupExample = openComponent('TrajectoryGroupExample', {
  trajectories: z.array(z.looseObject({ reward: z.number().optional() })),
})

const LeftOut = component('LeftOutRows', {
  reason: LeftOutReason,
  message: z.string(),
  count: z.int(),
  ids: z.array(z.string()).describe('the first call ids, or row numbers from 0'),
})

const kind = z.enum([...METHODS, 'rl'])

const PreviewReq = component('TrainingDataPreviewReq', {
  training_data: TrainingDataSource,
  kind: kind.default('sft'),
  reward: JobReward.nullish().describe('as in an RL job: a scorer gives the rewards, and is not asked here'),
  examples: z.int().min(0).max(100).default(3).describe('how many to show'),
  rows: z.int().min(1).max(10_000).default(1000).describe('how many to read'),
})

const PreviewRes = component('TrainingDataPreview', {
  kind,
  examples: z.array(z.union([ChatExample, PairExample, JudgedExample, GroupExample])),
  rows_read: z.int(),
  examples_found: z
    .int()
    .describe(
      'conversations (SFT), pairs (DPO), judged answers (KTO) or groups (RL) in the rows that were read',
    ),
  rows_used: z.int(),
  rows_left_out: z.int(),
  has_more: z.boolean().describe('there may be more rows'),
  mean_reward: z.number().nullable(),
  left_out: z.array(LeftOut),
})
export type TrainingDataPreview = z.output<typeof PreviewRes>

export const previewTrainingData = route({
  id: 'preview_training_data',
  method: 'POST',
  path: '/v1/preview/training-data/preview',
  tag: 'training-jobs',
  summary: 'Preview the training data from a dataset or calls, and why rows are skipped',
  access: 'read',
  project: 'handler',
  body: PreviewReq,
  answer: PreviewRes,
})
