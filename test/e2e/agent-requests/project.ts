/** What the fields of requests for settings, files, sources of datasets and runtimes do. */
import { expect } from 'vitest'
import type { Api, Row } from '../../support/api.js'
import { list, type Route } from './case.js'
import type { Talk } from './talk.js'

const DATASET = 'golden'
const user = { platform_user_id: 'somebody' }

export async function projectRoutes(api: Api, { project, traces }: Talk): Promise<Route[]> {
  const talk = { source_kind: 'conversation', source_id: 'c1', source_trace_id: '' }
  const [span] = (await api.calls(project, { filter: { trace_ids: [traces.C] } })) as Row[]
  const ofSpan = { source_kind: 'span', source_id: span!.id, source_trace_id: traces.C }
  const rows = (...sources: object[]) => [
    { row_digest: 'b', sources },
    { row_digest: 'a', sources: [talk], link_metadata: { by: 'ann' } },
  ]
  const dataset = { dataset_object_id: DATASET, dataset_digest: 'd' }
  await api.ok('/dataset_sources/link', { project_id: project, ...dataset, links: rows(talk, ofSpan) })
  const link = (more: object = {}) => ({ ...dataset, links: rows(talk), ...more })
  const created = list('entries', (entry) => entry.created)
  const links = list('links', ({ row_digest, source_kind }) => `${row_digest} ${source_kind}`)
  const query = (more: object = {}) => ({ dataset_object_id: DATASET, ...more })
  const runtime = (more: object = {}) => ({
    ...{ base_url: 'https://example.com/v1', api_key_secret: 'LAB_KEY', headers: { 'x-team': 'a' } },
    ...{ runtime_ids: [{ id: 'draw', max_tokens: 7 }] },
    ...more,
  })
  const runtimeOf =
    (...names: string[]) =>
    (answer: Row) =>
      names.map((name) => answer[name])
  const first = (answer: Row) => (answer.runtime_ids as Row[])[0]
  return [
    { path: '/project/ttl_settings/read', view: (answer) => answer, cases: [] },
    { path: '/project/sensitive_data_settings', view: (answer) => answer, cases: [] },
    { path: '/project/ingest_sampling_settings/read', view: (answer) => answer, cases: [] },
    {
      path: '/project/ttl_settings/update',
      view: ({ retention_days }) => retention_days,
      cases: [
        { field: 'retention_days', body: { retention_days: 9000 }, sees: 9000 },
        { field: 'platform_user_id', body: { retention_days: null, ...user }, ignored: true },
      ],
    },
    {
      path: '/files/resolve_url',
      view: list('download_urls', (url) => typeof url),
      cases: [{ field: 'uris', body: { uris: [] }, sees: [] }],
    },
    {
      path: '/dataset_sources/link',
      view: created,
      cases: [
        { field: 'dataset_object_id', body: link(), sees: [null, null] },
        { field: 'dataset_digest', body: link(), sees: [null, null] },
        { field: 'links', body: link(), sees: [null, null] },
        { field: 'links[].row_digest', body: link(), sees: [null, null] },
        { field: 'links[].sources', body: link(), sees: [null, null] },
        { field: 'links[].sources[].source_kind', body: link(), sees: [null, null] },
        { field: 'links[].sources[].source_id', body: link(), sees: [null, null] },
        { field: 'links[].sources[].source_trace_id', body: link(), sees: [null, null] },
        {
          field: 'links[].link_metadata',
          body: link({ links: [{ row_digest: 'a', sources: [talk], link_metadata: 'x' }] }),
          refused: 422,
        },
        {
          field: 'include_created_status',
          body: link({ include_created_status: true }),
          sees: [false, false],
        },
        { field: 'platform_user_id', body: link(user), ignored: true },
      ],
    },
    {
      path: '/dataset_sources/query',
      view: links,
      cases: [
        { field: 'dataset_object_id', body: query(), sees: ['a conversation', 'b span', 'b conversation'] },
        { field: 'row_digests', body: query({ row_digests: ['a'] }), sees: ['a conversation'] },
        { field: 'source_kinds', body: query({ source_kinds: ['span'] }), sees: ['b span'] },
        { field: 'limit', body: query({ limit: 1 }), sees: ['a conversation'] },
        { field: 'offset', body: query({ offset: 2 }), sees: ['b conversation'] },
        { field: 'include_deleted', body: query({ include_deleted: true }), ignored: true },
        { field: 'platform_user_id', body: query(user), ignored: true },
      ],
    },
    {
      path: '/dataset_sources/source_datasets_query',
      view: list('memberships', ({ source_kind, row_digests }) => [source_kind, row_digests]),
      cases: [
        { field: 'sources', body: { sources: [talk] }, sees: [['conversation', ['a', 'b']]] },
        { field: 'sources[].source_kind', body: { sources: [ofSpan] }, sees: [['span', ['b']]] },
        { field: 'sources[].source_id', body: { sources: [ofSpan] }, sees: [['span', ['b']]] },
        { field: 'sources[].source_trace_id', body: { sources: [ofSpan] }, sees: [['span', ['b']]] },
        { field: 'include_deleted', body: { sources: [talk], include_deleted: true }, ignored: true },
        { field: 'platform_user_id', body: { sources: [talk], ...user }, ignored: true },
      ],
    },
    {
      path: '/v2/{entity}/{project}/runtimes/{runtime_name}',
      method: 'PUT',
      view: runtimeOf('base_url', 'api_key_secret', 'headers'),
      cases: [
        {
          field: 'base_url',
          body: runtime(),
          sees: ['https://example.com/v1', 'LAB_KEY', { 'x-team': 'a' }],
        },
        {
          field: 'api_key_secret',
          body: runtime(),
          sees: ['https://example.com/v1', 'LAB_KEY', { 'x-team': 'a' }],
        },
        { field: 'headers', body: runtime(), sees: ['https://example.com/v1', 'LAB_KEY', { 'x-team': 'a' }] },
        { field: 'runtime_ids', body: runtime(), view: first, sees: expect.objectContaining({ id: 'draw' }) },
        {
          field: 'runtime_ids[].id',
          body: runtime(),
          view: first,
          sees: expect.objectContaining({ id: 'draw' }),
        },
        {
          field: 'runtime_ids[].max_tokens',
          body: runtime(),
          view: first,
          sees: expect.objectContaining({ max_tokens: 7 }),
        },
      ],
    },
  ]
}
