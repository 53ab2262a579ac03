/**
 * Operations of the contract that the server has not got yet. A line goes from here into a file of its group when
 * the route is there; the suite fails on a line that is here and mounted.
 */
export const later: readonly string[] = [
  'POST /project/ttl_settings/read',
  'POST /project/ttl_settings/update',
  'POST /project/sensitive_data_settings',
  'POST /project/ingest_sampling_settings/read',
  'POST /files/resolve_url',
  'POST /dataset_sources/link',
  'POST /dataset_sources/query',
  'POST /dataset_sources/source_datasets_query',
  'PUT /v2/{entity}/{project}/runtimes/{runtime_name}',
]
