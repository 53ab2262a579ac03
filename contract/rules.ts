/** Declarations of rules: what is done by itself when something happens in a project. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { Query } from './query-expr.js'
import {
  component,
  longText,
  orNull,
  projectId,
  readInBody,
  shortText,
  timeOut,
  writeInBody,
} from './shared.js'
import { TrainingDataSource } from './training-data.js'
import { ExperimentalConfig, SftConfig } from './training-options.js'

const tag = 'Rules'
const name = shortText.min(1)

const OnCall = component('RuleOnCall', {
  type: z.literal('call'),
  op_names: orNull(z.array(name).max(1000)).describe('names or refs; null: all ops'),
  query: orNull(Query).describe('as in /calls/stream_query, of the call itself'),
  sampling_rate: z.number().min(0).max(1).default(1),
})
const OnTurn = component('RuleOnTurn', {
  type: z.literal('turn'),
  query: orNull(Query),
  sampling_rate: z.number().min(0).max(1).default(1),
})
const SCORE_COMPARISONS = ['>', '>=', '<', '<=', '=', '!='] as const
const OnScore = component('RuleOnScore', {
  type: z.literal('score'),
  feedback_type: name.describe('such as wandb.runnable.refusal, wandb.reaction.1, or a type of yours'),
  monitor: orNull(name).describe('only scores that this monitor gave; null: of anybody'),
  json_path: z.string().min(1).max(1000).default('output.value').describe('of the value in the payload'),
  comparison: z.enum(SCORE_COMPARISONS).default('='),
  value: z
    .union([z.number(), z.boolean(), z.string().max(1000), z.null()])
    .default(null)
    .describe('null: any value'),
})
const OnAlias = component('RuleOnAlias', {
  type: z.literal('alias'),
  object: orNull(name).describe('its name; null: any'),
  alias: orNull(name).describe('null: any'),
})
const OnDatasetVersion = component('RuleOnDatasetVersion', {
  type: z.literal('dataset_version'),
  dataset: orNull(name).describe('its name; null: any'),
})
const OnEvaluation = component('RuleOnEvaluation', {
  type: z.literal('evaluation'),
  evaluation: orNull(name).describe('name of the evaluation whose run has ended; null: any'),
})
export const JOB_ENDS = ['completed', 'failed', 'cancelled'] as const
const OnTrainingJob = component('RuleOnTrainingJob', {
  type: z.literal('training_job'),
  model: orNull(name).describe('name of the trained model; null: any'),
  statuses: z.array(z.enum(JOB_ENDS)).min(1).max(3).default(['completed']),
})
const Trigger = z.discriminatedUnion('type', [
  OnCall,
  OnTurn,
  OnScore,
  OnAlias,
  OnDatasetVersion,
  OnEvaluation,
  OnTrainingJob,
])
export type RuleTrigger = z.output<typeof Trigger>
export type RuleOnScore = z.output<typeof OnScore>

const AddToDataset = component('RuleAddToDataset', {
  type: z.literal('add_to_dataset'),
  dataset: name.max(128).describe('its name; it is made if there is none'),
  columns: orNull(z.record(z.string().min(1).max(200), z.string().min(1).max(500))).describe(
    'a path into the call for each column, such as {"question": "inputs.question"}; null: inputs and output',
  ),
})
const AddToQueue = component('RuleAddToQueue', {
  type: z.literal('add_to_queue'),
  queue: name.max(256).describe('name of an annotation queue; it is made if there is none'),
})
const Evaluate = component('RuleEvaluate', {
  type: z.literal('evaluate'),
  evaluation: name.describe('name of an evaluation of this project; its newest version is run'),
  model: orNull(name).describe(
    'name of an LLMStructuredCompletionModel, or name:alias; null: the version that the alias was set to',
  ),
})
const Train = component('RuleTrain', {
  type: z.literal('train'),
  model: name.describe('name of a model of this project that is trained here'),
  training_data: orNull(TrainingDataSource).describe('null: the dataset version that set off the rule'),
  method: z.enum(['sft', 'rl']).default('sft').describe('sft: with any method in config'),
  config: orNull(SftConfig).describe('of sft'),
  experimental_config: orNull(ExperimentalConfig).describe('of rl'),
})
const Score = component('RuleGateScore', {
  score: name.describe('its path: the scorer, and keys inside its score, joined by dots'),
  min: orNull(z.number()),
  max: orNull(z.number()).describe('less is better'),
  max_regression: orNull(z.number().min(0)).describe(
    'by how much it may be worse than the last run of the version that has the alias',
  ),
})
const SetAlias = component('RuleSetAlias', {
  type: z.literal('set_alias'),
  alias: name.max(128),
  gate: z
    .array(Score)
    .max(50)
    .default([])
    .describe('of a run of an evaluation: the alias stays where it is unless all scores pass'),
})
const Notify = component('RuleNotify', {
  type: z.literal('notify'),
  channel: name.describe('name of a notification channel'),
  message: orNull(z.string().max(4000)).describe(
    'replaces the usual text; {{rule}}, {{what}} and {{url}} are filled in',
  ),
})
const Action = z.discriminatedUnion('type', [AddToDataset, AddToQueue, Evaluate, Train, SetAlias, Notify])
export type RuleAction = z.output<typeof Action>
export type RuleGateScore = z.output<typeof Score>
const ACTION_TYPES = Action.options.map(({ shape }) => shape.type.value)

const definition = {
  description: orNull(longText),
  trigger: Trigger,
  actions: z.array(Action).min(1).max(10),
  max_per_day: z
    .int()
    .min(1)
    .max(100_000)
    .default(1000)
    .describe('matches of a day (UTC) beyond it are skipped'),
  active: z.boolean().default(true),
}
export const RuleDefinition = component('RuleDefinition', definition)
export type RuleDefinition = z.output<typeof RuleDefinition>

/** Names are shown in addresses and commands. */
const ruleName = z.string().regex(/^[\w.-]{1,120}$/, 'Should be of letters, digits, "_", "." and "-"')
const named = { project_id: projectId, rule: ruleName.describe('its name') }
const published = component('RulePublished', { ref: z.string() })

const RuleSaveReq = component('RuleSaveReq', { project_id: projectId, name: ruleName, ...definition })

export const ruleSave = route({
  ...writeInBody,
  id: 'rule_save',
  path: '/rules/save',
  tag,
  audit: { category: 'automation', names: ['body.name', 'body.active'] },
  summary:
    'Make a rule, or a new version of the one of this name; a rule that would set itself off is refused',
  body: RuleSaveReq,
  answer: published,
})

export const ruleActivate = route({
  ...writeInBody,
  id: 'rule_activate',
  path: '/rules/activate',
  tag,
  audit: { category: 'automation', names: ['body.rule', 'body.active'] },
  summary: 'Let a rule act from now on, or stop it',
  body: component('RuleActivateReq', { ...named, active: z.boolean() }),
  answer: published,
})

export const ruleDelete = route({
  ...writeInBody,
  id: 'rule_delete',
  path: '/rules/delete',
  tag,
  audit: { category: 'automation', names: ['body.rule'] },
  summary: 'Delete a rule; what it did stays, and what waits is not done',
  body: component('RuleDeleteReq', named),
  answer: component('RuleDeleteRes', { name: z.string() }),
})

export const rulesQuery = route({
  ...readInBody,
  id: 'rules_query',
  path: '/rules/query',
  tag,
  summary: 'List the rules of a project, with what they did',
  body: component('RulesQueryReq', { project_id: projectId }),
  answer: component('RulesQueryRes', {
    rules: z.array(
      component('RuleStatus', {
        name: z.string(),
        ref: z.string().describe('of its newest version'),
        definition: RuleDefinition.nullable().describe('null: its object is not a rule; problem says why'),
        matched: z.int().describe('since it was made'),
        matched_today: z.int().describe('on this day (UTC)'),
        skipped_today: z.int().describe('beyond max_per_day'),
        last_run_at: timeOut.nullable(),
        problem: z.string().nullable().describe('why it does nothing; null: it acts'),
      }),
    ),
  }),
})

const Subject = component('RuleSubject', {
  type: z.enum(['call', 'version', 'evaluation_run', 'training_job']),
  id: z.string().describe('of the call, the run or the job; of a version: its digest'),
  name: z.string().describe('the op, the object, the evaluation or the model'),
  detail: z.string().nullable().describe('the value of the score, the alias, or how the job ended'),
  trace_id: z.string().nullable().describe('of a call'),
})
export type RuleSubject = z.output<typeof Subject>

export const rulePreview = route({
  ...readInBody,
  id: 'rule_preview',
  path: '/rules/preview',
  tag,
  summary: 'Show what would have set off a rule, before it is made; nothing is done',
  body: component('RulePreviewReq', {
    project_id: projectId,
    name: ruleName.default('preview').describe('which calls a sample has follows from the name'),
    trigger: Trigger,
    days: z.number().min(0.01).max(30).default(7).describe('how far back'),
  }),
  answer: component('RulePreviewRes', {
    matched: z.int(),
    newest: z.array(component('RuleMatch', { at: timeOut, subject: Subject })).describe('twenty at most'),
  }),
})

export const RUN_STATES = ['waiting', 'done', 'failed', 'cut'] as const

export const ruleRuns = route({
  ...readInBody,
  id: 'rule_runs',
  path: '/rules/runs',
  tag,
  summary: 'List what rules did, the newest first',
  body: component('RuleRunsReq', {
    project_id: projectId,
    rule: orNull(ruleName).describe('its name; null: of all'),
    state: orNull(z.enum(RUN_STATES)).describe('of one of its actions; null: any'),
    limit: z.int().min(1).max(1000).default(100),
  }),
  answer: component('RuleRunsRes', {
    runs: z.array(
      component('RuleRun', {
        id: z.string(),
        rule: z.string(),
        rule_ref: z.string().describe('the version that matched'),
        at: timeOut,
        subject: Subject,
        actions: z.array(
          component('RuleActionRun', {
            type: z.enum(ACTION_TYPES),
            state: z
              .enum(RUN_STATES)
              .describe('cut: not done, since it was set off by what the same rule did'),
            attempts: z.int(),
            next_at: timeOut.nullable().describe('when it is tried again'),
            result: z.string().nullable().describe('what it made: a ref, an id, or a sentence'),
            problem: z.string().nullable(),
          }),
        ),
      }),
    ),
  }),
})

export const ruleRetry = route({
  ...writeInBody,
  id: 'rule_retry',
  path: '/rules/retry',
  tag,
  audit: { category: 'automation', names: ['body.rule', 'body.run'] },
  summary: 'Try the failed actions of a rule again',
  body: component('RuleRetryReq', {
    ...named,
    run: orNull(shortText).describe('id of a run; null: of all runs'),
  }),
  answer: component('RuleRetryRes', { retried: z.int().describe('how many actions') }),
})
