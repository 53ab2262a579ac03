/** Runs of evaluations, and their results side by side. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Call, post, queryCalls, type Schemas, send } from './client'

export type Summary = Schemas['EvalResultsEvaluationSummary']
export type ResultRow = Schemas['EvalResultsRow']

const RUNS = 50
const ROWS = 100

/** The newest first, whichever SDK or route made them. */
export const runsQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: ['evaluations', project],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      queryCalls(
        {
          project_id: project,
          filter: { op_names: [`weave:///${project}/op/Evaluation.evaluate:*`] },
          sort_by: [{ field: 'started_at', direction: 'desc' }],
          limit: RUNS,
          offset: pageParam,
        },
        signal,
      ),
    getNextPageParam: (last: Call[], pages: Call[][]) =>
      last.length < RUNS ? undefined : pages.length * RUNS,
  })

type Path = '/v2/{entity}/{project}/eval_results/query'
/** The types go by the path of the route; the request goes to that of the project. */
const ask = (project: string, body: Schemas['EvalResultsQueryBody'], signal: AbortSignal) =>
  post(`/v2/${project}/eval_results/query` as Path, body, signal)

/** Of each run its metrics. */
export const summariesQuery = (project: string, runs: readonly string[]) =>
  queryOptions({
    queryKey: ['evaluations', project, 'summaries', runs],
    staleTime: 30_000,
    enabled: runs.length > 0,
    queryFn: async ({ signal }) => {
      const body = {
        evaluation_call_ids: [...runs],
        include_rows: false,
        include_summary: true,
        include_costs: true,
      }
      const { summary, warnings } = await ask(project, body, signal)
      const found = summary?.evaluations ?? []
      const inOrder = runs.flatMap((id) => found.find((one) => one.evaluation_call_id === id) ?? [])
      return { summaries: inOrder, warnings }
    },
  })

/** Rows of data with what each run made of them. @param field of scores, by which the rows that differ most come first */
export const resultsQuery = (project: string, runs: readonly string[], field: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['evaluations', project, 'rows', runs, field],
    staleTime: 30_000,
    enabled: runs.length > 0,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      ask(
        project,
        {
          evaluation_call_ids: [...runs],
          include_raw_data_rows: true,
          resolve_row_refs: true,
          limit: ROWS,
          offset: pageParam,
          ...(field !== undefined && {
            sort_by: [{ field, direction: 'desc' as const, mode: 'difference' as const }],
          }),
        },
        signal,
      ),
    getNextPageParam: ({ total_rows: total }, pages) =>
      pages.length * ROWS < total ? pages.length * ROWS : undefined,
  })

/** Rows of a request that reads all. */
const BATCH = 500

/** All rows, some at a time. @param whole with the data of the rows, tokens and costs */
export async function* eachRow(
  project: string,
  runs: readonly string[],
  { whole, most = Number.POSITIVE_INFINITY }: { whole: boolean; most?: number },
  signal: AbortSignal,
): AsyncGenerator<ResultRow[]> {
  for (let offset = 0; offset < most; ) {
    const body = {
      evaluation_call_ids: [...runs],
      ...{ include_raw_data_rows: whole, resolve_row_refs: whole },
      ...{ include_predict_and_score_children: whole, include_costs: whole },
      ...{ limit: BATCH, offset },
    }
    const { rows, total_rows: total } = await ask(project, body, signal)
    if (rows.length > 0) yield rows
    offset += rows.length
    if (rows.length === 0 || offset >= total) return
  }
}

/** How many runs a leaderboard looks at: the newest. */
const RANKED = 1_000

/** The newest runs of evaluations. @param evaluations by their refs; `:*` at the end is any version */
export const runsOfQuery = (project: string, evaluations: readonly string[]) =>
  queryOptions({
    queryKey: ['evaluations', project, 'of', evaluations],
    enabled: evaluations.length > 0,
    refetchInterval: 30_000,
    queryFn: ({ signal }) =>
      queryCalls(
        {
          project_id: project,
          filter: {
            op_names: [`weave:///${project}/op/Evaluation.evaluate:*`],
            input_refs: [...evaluations],
          },
          columns: ['id', 'inputs', 'output', 'started_at', 'ended_at', 'exception'],
          sort_by: [{ field: 'started_at', direction: 'desc' }],
          limit: RANKED,
        },
        signal,
      ),
  })

/** Saves an evaluation of a dataset. @param scorers their refs @returns its ref */
export async function createEvaluation(
  project: string,
  asked: { name: string; dataset: string; scorers: string[]; trials: number },
): Promise<string> {
  const answer = await send('POST', `/v2/${project}/evaluations`, asked)
  return ((await answer.json()) as Schemas['EvaluationCreateRes']).evaluation_ref
}

/** Starts one that the server runs. @returns the id of its call */
export const startEvaluation = (project: string, evaluation: string, model: string) =>
  post('/evaluations/evaluate_model', {
    project_id: project,
    evaluation_ref: evaluation,
    model_ref: model,
  })

/** How far a run is, asked for until it has ended. */
export const statusQuery = (project: string, run: string) =>
  queryOptions({
    queryKey: ['evaluations', project, 'status', run],
    queryFn: async ({ signal }) =>
      (await post('/evaluations/status', { project_id: project, call_id: run }, signal)).status,
    refetchInterval: ({ state: { data } }) =>
      data?.code === 'complete' || data?.code === 'failed' ? false : 1_000,
  })
