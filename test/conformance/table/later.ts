/**
 * Operations of the contract that the server has not got yet. A line goes from here into a file of its group when
 * the route is there; the suite fails on a line that is here and mounted.
 */
const v2 = (rest: string) => `/v2/{entity}/{project}/${rest}`
/** An object seen as a resource: list, create, delete, read a version. */
const views = (name: string) => [
  `GET ${v2(name)}`,
  `POST ${v2(name)}`,
  `DELETE ${v2(name)}/{object_id}`,
  `GET ${v2(name)}/{object_id}/versions/{digest}`,
]
/** A call seen as a resource: list, create, delete, read. */
const records = (name: string, id: string) => [
  `GET ${v2(name)}`,
  `POST ${v2(name)}`,
  `DELETE ${v2(name)}`,
  `GET ${v2(name)}/{${id}}`,
]

export const later: readonly string[] = [
  'POST /feedback/batch/create',
  'POST /feedback/create',
  'POST /feedback/payload_schema',
  'POST /feedback/purge',
  'POST /feedback/query',
  'POST /feedback/replace',
  'POST /feedback/stats',
  'POST /feedback/aggregate',
  'POST /evaluations/evaluate_model',
  'POST /evaluations/status',
  'POST /evaluations/rescore',
  'POST /calls/score',
  'POST /completions/create',
  'POST /completions/create_stream',
  ...views('ops'),
  ...views('datasets'),
  ...views('scorers'),
  ...views('models'),
  ...views('evaluations'),
  ...records('scores', 'score_id'),
  ...records('predictions', 'prediction_id'),
  ...records('evaluation_runs', 'evaluation_run_id'),
  `POST ${v2('predictions')}/{prediction_id}/finish`,
  `POST ${v2('evaluation_runs')}/{evaluation_run_id}/finish`,
  `POST ${v2('eval_results/query')}`,
]
