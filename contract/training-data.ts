/**
 * Training data that comes from the tracing interface: a dataset, or the calls that a query finds; how rows of either
 * become examples; and the route that shows what would be trained. Knows nothing of jobs.
 */
import { z } from 'zod'
import { errors } from '../platform/errors/catalog.js'
import { route } from '../platform/http/route.js'
import { eitherName } from './aliases.js'
import { CallsFilter, SortBy } from './calls-read.js'
import { Query } from './query-expr.js'
import { parseRef } from './ref.js'
import { projectId } from './shared.js'

/** Most calls of one query; a dataset has as many rows as it has. */
const MOST_CALLS = 1_000_000
const text = z.string().min(1).max(10_000)
const path = z.string().min(1).max(500)

/** Scheme of refs under the service's own name; the rest is the grammar of all refs. */
const OWN_SCHEME = 'heddle:///'

const dataset = z
  .string()
  .max(2000)
  .transform((ref) => (ref.startsWith(OWN_SCHEME) ? `weave:///${ref.slice(OWN_SCHEME.length)}` : ref))
  .refine(
    isDataset,
    'Should be a ref of a dataset, weave:///entity/project/object/name:version, or of a table',
  )
  .meta({
    description: 'a dataset, or a table',
    examples: ['weave:///acme/assistant/object/good-answers:latest'],
  })

const TracedCalls = z
  .object({
    project_id: projectId,
    filter: eitherName(CallsFilter).nullable().default(null),
    query: Query.nullable().default(null),
    sort_by: z.array(SortBy).nullable().default(null).meta({
      description: 'the order of training; default: started_at, ascending',
    }),
    limit: z.int().min(1).max(MOST_CALLS).default(10_000),
  })
  .meta({ id: 'TracedCalls', description: 'the calls that /calls/stream_query finds for the same fields' })

const PairTemplate = z
  .object({
    system: text.nullable().default(null),
    prompt: text.meta({ examples: ['Translate: {inputs.text}'] }),
    completion: text.meta({ examples: ['{output}'] }),
  })
  .meta({
    id: 'PairTemplate',
    description:
      'texts with {dotted.paths} into a call or a row; {{ is a brace. Wins over what else a row holds',
  })

const Reward = z
  .discriminatedUnion('from', [
    z.object({
      from: z.literal('reaction'),
      values: z
        .record(z.string(), z.number())
        .default({ '👍': 1, '👎': 0 })
        .meta({ description: 'what an emoji is worth; skin tones make no difference' }),
    }),
    z.object({
      from: z.literal('feedback'),
      feedback_type: z.string().min(1).max(512),
      path: path.meta({ description: 'into the payload: a number, or true (1) or false (0)' }),
    }),
    z.object({
      from: z.literal('scorer'),
      name: z.string().min(1).max(256).meta({ description: 'as in the feedback type …runnable.<name>' }),
      path: path.nullable().default(null).meta({ description: 'into its output, where that is an object' }),
    }),
    z.object({
      from: z.literal('column'),
      path: path.meta({ description: 'into the call or the row itself' }),
    }),
  ])
  .meta({ id: 'TracedReward', description: 'several on one call: their mean' })

/** What SFT and RL jobs take in place of data of their own. */
export const TrainingDataSource = z
  .object({
    dataset: dataset.nullable().default(null),
    calls: TracedCalls.nullable().default(null),
    template: PairTemplate.nullable().default(null),
    reward: Reward.nullable().default(null),
    min_reward: z.number().nullable().default(null).meta({
      description: 'for SFT: rows with a lower reward, or none, are left out',
    }),
    keep_duplicates: z.boolean().default(false),
  })
  .refine((source) => (source.dataset === null) !== (source.calls === null), {
    message: 'Should name either a dataset or calls',
    path: ['dataset'],
  })
  .refine((source) => source.min_reward === null || source.reward !== null, {
    message: 'Needs a reward to compare with',
    path: ['min_reward'],
  })
  .meta({ id: 'TrainingDataSource' })
export type TrainingDataSource = z.output<typeof TrainingDataSource>

/** The source that a `training_data_url` names; undefined if it is no ref. @throws `BAD_REQUEST` for one of no dataset */
export function sourceOfUrl(url: string): TrainingDataSource | undefined {
  if (!url.startsWith(OWN_SCHEME) && !url.startsWith('weave:///')) return undefined
  const { data } = TrainingDataSource.safeParse({ dataset: url })
  if (data) return data
  throw errors.badRequest(
    `"${url.slice(0, 200)}" is not a ref of a dataset; send weave:///entity/project/object/name:version.`,
  )
}

function isDataset(ref: string): boolean {
  try {
    const { kind } = parseRef(ref)
    return kind === 'object' || kind === 'table'
  } catch {
    return false
  }
}

/** Why rows are not trained on. Stable. */
export const LeftOutReason = z
  .enum([
    'failed',
    'unfinished',
    'no_messages',
    'no_answer',
    'bad_message',
    'not_text',
    'no_value',
    'no_reward',
    'low_reward',
    'single_answer',
    'same_rewards',
    'duplicate',
    'secret',
    'too_long',
  ])
  .meta({ id: 'LeftOutReason' })
export type LeftOutReason = z.output<typeof LeftOutReason>

const Message = z.looseObject({ role: z.string(), content: z.string().nullable() })

const ChatExample = z
  .object({ messages: z.array(Message), tools: z.array(z.record(z.string(), z.unknown())).optional() })
  .meta({ id: 'ChatExample' })

const GroupExample = z
  .looseObject({ trajectories: z.array(z.looseObject({ reward: z.number() })) })
  .meta({ id: 'TrajectoryGroupExample' })

const LeftOut = z
  .object({
    reason: LeftOutReason,
    message: z.string(),
    count: z.int(),
    ids: z.array(z.string()).meta({ description: 'of the first calls, or numbers of the first rows from 0' }),
  })
  .meta({ id: 'LeftOutRows' })

const PreviewReq = z
  .object({
    training_data: TrainingDataSource,
    kind: z.enum(['sft', 'rl']).default('sft'),
    examples: z.int().min(0).max(100).default(3).meta({ description: 'most that are shown' }),
    rows: z.int().min(1).max(10_000).default(1000).meta({ description: 'most that are read' }),
  })
  .meta({ id: 'TrainingDataPreviewReq' })

const PreviewRes = z
  .object({
    kind: z.enum(['sft', 'rl']),
    examples: z.array(z.union([ChatExample, GroupExample])),
    rows_read: z.int(),
    examples_found: z
      .int()
      .meta({ description: 'conversations (SFT) or groups (RL) among the rows that were read' }),
    rows_used: z.int(),
    rows_left_out: z.int(),
    has_more: z.boolean().meta({ description: 'there may be more rows than were read' }),
    mean_reward: z.number().nullable(),
    left_out: z.array(LeftOut),
  })
  .meta({ id: 'TrainingDataPreview' })
export type TrainingDataPreview = z.output<typeof PreviewRes>

export const previewTrainingData = route({
  id: 'preview_training_data',
  method: 'POST',
  path: '/v1/preview/training-data/preview',
  tag: 'training-jobs',
  summary: 'Show what a job would be trained on, from a dataset or from calls, and why rows are left out',
  access: 'read',
  project: 'handler',
  body: PreviewReq,
  answer: PreviewRes,
})
