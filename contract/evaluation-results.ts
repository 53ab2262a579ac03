import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { GenAISpanRef } from './evaluation-runs.js'
import { Query } from './query-expr.js'
import { component, inProjectPath, orNull, shortText } from './shared.js'

const ids = orNull(z.array(shortText.min(1)).max(100))
const FIELDS = 'scores.<scorer>[.<path>], inputs.<path> or outputs.<path>'

const SortBy = component('EvalResultsSortBy', {
  field: z.string().describe(FIELDS),
  direction: z.enum(['asc', 'desc']),
  evaluation_call_id: orNull(shortText).describe('the run whose value counts; default: the mean over all'),
  mode: z
    .enum(['value', 'difference'])
    .default('value')
    .describe(
      'difference: the distance between the means of the runs, first the rows that some trials have no value for; evaluation_call_id has no effect',
    ),
})

const Filter = component('EvalResultsFilter', {
  evaluation_call_id: orNull(shortText).describe(
    'the run that must match; default: see filter_logic_operator',
  ),
  query: Query.describe(`fields: ${FIELDS}`),
})

const EvalResultsQueryBody = component('EvalResultsQueryBody', {
  evaluation_call_ids: ids.describe('ids of the root calls of runs'),
  evaluation_run_ids: ids.describe('the same, under another name'),
  require_intersection: z.boolean().default(false).describe('only rows that every run has'),
  include_raw_data_rows: z.boolean().default(false),
  resolve_row_refs: z
    .boolean()
    .default(false)
    .describe('with include_raw_data_rows: the rows of datasets instead of their refs'),
  include_rows: z.boolean().default(true),
  include_summary: z.boolean().default(false),
  summary_require_intersection: orNull(z.boolean()).describe('default: require_intersection'),
  include_predict_and_score_children: z
    .boolean()
    .default(true)
    .describe('with tokens and the ids of predictions and scores'),
  include_costs: z.boolean().default(false),
  sort_by: orNull(z.array(SortBy).max(10)).describe('default: row_digest, ascending'),
  filters: orNull(z.array(Filter).max(20)).describe('all must match; one matching trial of a row is enough'),
  filter_logic_operator: z
    .enum(['and', 'or'])
    .default('or')
    .describe('whether a filter without a run must match in every run or in any'),
  limit: orNull(z.int()),
  offset: z.int().default(0),
})
export type EvalResultsQuery = z.output<typeof EvalResultsQueryBody>

const Trial = component('EvalResultsTrial', {
  predict_and_score_call_id: z.string(),
  predict_call_id: z.string().nullable(),
  ended: z.boolean(),
  model_output: z.unknown(),
  scores: z.record(z.string(), z.unknown()),
  model_latency_seconds: z.number().nullable(),
  total_tokens: z.int().nullable().describe('of the prediction only'),
  total_cost: z.number().nullable().describe('of the prediction only'),
  scorer_call_ids: z.record(z.string(), z.string()),
  genai_span_ref: z.array(GenAISpanRef).nullable(),
})

const ScorerStats = component('EvalResultsScorerStats', {
  scorer_key: z.string(),
  path: z.string().nullable().describe('the path inside the score, its keys joined by dots'),
  value_type: z.enum(['binary', 'continuous', 'text']).nullable(),
  trial_count: z.int().describe('trials with this score: a boolean, number or text'),
  numeric_count: z.int(),
  numeric_mean: z.number().nullable().describe('over the trials with a number'),
  pass_true_count: z.int(),
  pass_known_count: z.int(),
  pass_rate: z.number().nullable().describe('pass_true_count / pass_known_count'),
  pass_signal_coverage: z.number().nullable().describe('pass_known_count / trial_count'),
})
export type ScorerStats = z.output<typeof ScorerStats>

const EvaluationSummary = component('EvalResultsEvaluationSummary', {
  evaluation_call_id: z.string(),
  trial_count: z.int(),
  ended_trial_count: z.int().describe('what shares are of: a trial without a score did not pass'),
  failed_trial_count: z.int().describe('trials that ended without any output and score'),
  scorer_stats: z.array(ScorerStats),
  predict_total_tokens: z.int().nullable(),
  predict_total_cost: z.number().nullable().describe('in the currency of the prices'),
  mean_model_latency_seconds: z.number().nullable(),
  evaluation_ref: z.string().nullable(),
  model_ref: z.string().nullable(),
  display_name: z.string().nullable(),
  trace_id: z.string().nullable(),
  started_at: z.string().nullable(),
})
export type EvaluationSummary = z.output<typeof EvaluationSummary>

export const evalResultsQuery = route({
  id: 'eval_results_query',
  method: 'POST',
  path: '/v2/{entity}/{project}/eval_results/query',
  tag: 'Eval results',
  summary: 'Compare the rows of runs and summarize the scores of each run',
  access: 'read',
  project: 'path',
  params: z.object(inProjectPath),
  body: EvalResultsQueryBody,
  answer: component('EvalResultsQueryRes', {
    rows: z.array(
      component('EvalResultsRow', {
        row_digest: z.string(),
        raw_data_row: z.unknown(),
        evaluations: z.array(
          component('EvalResultsRowEvaluation', { evaluation_call_id: z.string(), trials: z.array(Trial) }),
        ),
      }),
    ),
    total_rows: z.int().describe('the total, regardless of the limit'),
    summary: component('EvalResultsSummaryRes', {
      row_count: z.int(),
      evaluations: z.array(EvaluationSummary),
    }).nullable(),
    warnings: z.array(z.string()),
  }),
})
