import { z } from 'zod'
import { route } from '../platform/http/route.js'
import {
  component,
  digest,
  names,
  orNull,
  page,
  projectId,
  readInBody,
  shortText,
  timeOut,
  userIdIn,
  writeInBody,
} from './shared.js'

const tag = 'Dataset sources'

/** Most pairs of a row and a source in a request. */
export const SOURCE_LIMIT = 1000

const sourceKind = z.enum(['call', 'span', 'conversation']).meta({ id: 'SourceKind' })
const source = {
  source_kind: sourceKind,
  source_id: shortText.min(1).describe('id of the call, span or conversation'),
  source_trace_id: shortText.describe('of a span; a call has its own, a conversation an empty one'),
}
const sourceRef = component('SourceRef', source)
const userId = { platform_user_id: userIdIn }
const dataset = { project_id: projectId, dataset_object_id: shortText.min(1) }

export const sourcesLink = route({
  ...writeInBody,
  tag,
  id: 'dataset_sources_link',
  path: '/dataset_sources/link',
  summary: 'Link rows of a dataset to what they were made from; all links are stored, or none',
  body: component('DatasetSourcesLinkReq', {
    ...dataset,
    dataset_digest: digest,
    links: z.array(
      component('DatasetSourceLinkPayload', {
        row_digest: digest,
        sources: z.array(sourceRef),
        link_metadata: orNull(z.record(z.string(), z.unknown())),
      }),
    ),
    include_created_status: z.boolean().default(false),
    ...userId,
  }),
  answer: component('DatasetSourcesLinkRes', {
    entries: z.array(
      component('DatasetSourcesLinkResEntry', {
        link_id: z.string(),
        created: z.boolean().nullable().describe('null unless include_created_status'),
      }),
    ),
  }),
})

export const sourcesUnlink = route({
  ...writeInBody,
  tag,
  id: 'dataset_sources_link_delete',
  audit: { category: 'deletion', names: ['body.link_ids'] },
  path: '/dataset_sources/link_delete',
  summary: 'Delete links between rows of datasets and what they were made from; all of them, or none',
  body: component('DatasetSourcesLinkDeleteReq', {
    project_id: projectId,
    link_ids: z.array(shortText).max(SOURCE_LIMIT),
    ...userId,
  }),
  answer: component('DatasetSourcesLinkDeleteRes', {
    entries: z.array(
      component('DatasetSourcesLinkDeleteResEntry', {
        link_id: z.string(),
        deleted: z.boolean().describe('false: it was deleted already'),
      }),
    ),
  }),
})

export const sourcesQuery = route({
  ...readInBody,
  tag,
  id: 'dataset_sources_query',
  path: '/dataset_sources/query',
  summary: 'List what rows of a dataset were made from',
  body: component('DatasetSourcesQueryReq', {
    ...dataset,
    row_digests: names,
    source_kinds: orNull(z.array(sourceKind)),
    include_deleted: z.boolean().default(false),
    ...page,
    ...userId,
  }),
  answer: component('DatasetSourcesQueryRes', {
    links: z.array(
      component('DatasetSourceLinkSchema', {
        id: z.string(),
        row_digest: z.string(),
        ...source,
        source_started_at: timeOut,
        source_display_name: z.string(),
        link_metadata: z.record(z.string(), z.unknown()).nullable(),
        added_by: z.string().nullable(),
        created_at: timeOut,
        updated_at: timeOut,
        deleted_at: timeOut.nullable(),
      }),
    ),
  }),
})

export const sourceDatasetsQuery = route({
  ...readInBody,
  tag,
  id: 'source_datasets_query',
  path: '/dataset_sources/source_datasets_query',
  summary: 'List the datasets whose rows were made from calls, spans or conversations',
  body: component('SourceDatasetsQueryReq', {
    project_id: projectId,
    sources: z.array(sourceRef).max(SOURCE_LIMIT),
    include_deleted: z.boolean().default(false),
    ...userId,
  }),
  answer: component('SourceDatasetsQueryRes', {
    memberships: z.array(
      component('SourceDatasetMembership', {
        ...source,
        dataset_object_id: z.string(),
        row_digests: z.array(z.string()).describe('at most 100, sorted'),
        row_digests_truncated: z.boolean(),
        row_digests_total_count: z.int(),
        first_seen_at: timeOut,
      }),
    ),
  }),
})

export type SourceRef = z.output<typeof sourceRef>
export type LinkRequest = z.output<NonNullable<typeof sourcesLink.body>>
export type SourcesQuery = z.output<NonNullable<typeof sourceDatasetsQuery.body>>
export type LinksQuery = z.output<NonNullable<typeof sourcesQuery.body>>
