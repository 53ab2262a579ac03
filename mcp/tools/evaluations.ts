/** The tool that shows how runs of evaluations went, and compares them row by row. */
import { z } from 'zod'
import { evalResultsQuery } from '../../contract/evaluation-results.js'
import { evaluationStatus } from '../../contract/evaluation-server.js'
import { cursorIn, cursorOut, glimpse, lean, maxTokens, offsetOf, pageOf } from '../budget.js'
import { name, project, tool } from '../tool.js'

const MOST_ROWS = 50
const GLIMPSE_LENGTH = 300

const Score = z.object({
  scorer: z.string(),
  path: z.string().optional(),
  trials: z.int(),
  pass_rate: z.number().optional(),
  mean: z.number().optional(),
})

export const compareEvaluations = tool({
  name: 'compare_evaluations',
  title: 'Compare evaluation runs',
  description:
    'Status, scores, tokens and latency of one run of an evaluation or several, and the rows side by side: with sort_by, first those where the runs differ most.',
  effect: 'reads',
  input: z.object({
    project,
    run_ids: z
      .array(name)
      .min(1)
      .max(5)
      .describe('call ids of runs: of start_evaluation, or of search_calls with op Evaluation.evaluate'),
    sort_by: name
      .optional()
      .describe('scores.<scorer>[.<path>]: rows with the largest difference between the runs first'),
    cursor: cursorIn,
    max_tokens: maxTokens,
  }),
  output: z.object({
    runs: z
      .array(
        z.object({
          run_id: z.string(),
          name: z.string().optional(),
          model: z.string().optional(),
          evaluation: z.string().optional(),
          status: z.string(),
          error: z.string().optional(),
          trials: z.int(),
          failed_trials: z.int(),
          scores: z.array(Score),
          tokens: z.number().optional(),
          cost: z.number().optional(),
          mean_latency_seconds: z.number().optional(),
        }),
      )
      .optional()
      .describe('only in the first answer'),
    row_count: z.int(),
    rows: z.array(
      z.object({
        row_digest: z.string(),
        row: z.string().optional(),
        runs: z.array(
          z.object({
            run_id: z.string(),
            scores: z.record(z.string(), z.unknown()),
            output: z.string().optional(),
            call_id: z.string(),
          }),
        ),
      }),
    ),
    next_cursor: cursorOut,
  }),
  run: async ({ project: project_id, run_ids, sort_by, cursor, max_tokens }, api) => {
    const [entity = '', projectName = ''] = project_id.split('/')
    const offset = offsetOf(cursor)
    const isFirst = offset === 0
    const [results, ...statuses] = await Promise.all([
      api.call(evalResultsQuery, {
        params: { entity, project: projectName },
        body: {
          evaluation_call_ids: run_ids,
          include_summary: isFirst,
          include_raw_data_rows: true,
          resolve_row_refs: true,
          include_costs: isFirst,
          ...(sort_by !== undefined && {
            sort_by: [{ field: sort_by, direction: 'desc' as const, mode: 'difference' as const }],
          }),
          limit: MOST_ROWS,
          offset,
        },
      }),
      ...(isFirst ? run_ids : []).map((call_id) =>
        api.call(evaluationStatus, { body: { project_id, call_id } }),
      ),
    ])
    const runs = results.summary?.evaluations.map((run) => {
      const at = run_ids.indexOf(run.evaluation_call_id)
      const status = statuses[at]?.status ?? { code: 'not_found' as const }
      return {
        run_id: run.evaluation_call_id,
        status:
          status.code === 'running'
            ? `running: ${status.completed_rows} of ${status.total_rows} rows`
            : status.code,
        trials: run.trial_count,
        failed_trials: run.failed_trial_count,
        scores: run.scorer_stats.map((one) => ({
          scorer: one.scorer_key,
          trials: one.trial_count,
          ...lean({ path: one.path, pass_rate: one.pass_rate, mean: one.numeric_mean }),
        })),
        ...lean({
          name: run.display_name,
          model: run.model_ref,
          evaluation: run.evaluation_ref,
          error: status.code === 'failed' ? status.error : undefined,
          tokens: run.predict_total_tokens,
          cost: run.predict_total_cost,
          mean_latency_seconds: run.mean_model_latency_seconds,
        }),
      }
    })
    const rows = results.rows.map(({ row_digest, raw_data_row, evaluations }) => ({
      row_digest,
      ...lean({ row: glimpse(raw_data_row, GLIMPSE_LENGTH) }),
      runs: evaluations.flatMap(({ evaluation_call_id: run_id, trials }) =>
        trials.map((trial) => ({
          run_id,
          scores: trial.scores,
          ...lean({ output: glimpse(trial.model_output, GLIMPSE_LENGTH) }),
          call_id: trial.predict_call_id ?? trial.predict_and_score_call_id,
        })),
      ),
    }))
    const room = max_tokens - Math.ceil(JSON.stringify(runs ?? []).length / 3)
    const { page, ...next } = pageOf(
      rows,
      offset,
      Math.max(500, room),
      offset + rows.length < results.total_rows,
    )
    return { ...(isFirst && { runs: runs ?? [] }), row_count: results.total_rows, rows: page, ...next }
  },
})
