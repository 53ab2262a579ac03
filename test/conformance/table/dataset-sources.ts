/** Operations on what the rows of datasets were made from. */
import { expect } from 'vitest'
import type { Row } from '../../support/api.js'
import { json, operation, type Sent, type World } from './operation.js'

const DATASET = 'golden'

/** Starts a call and links two rows to it, and one of them to a conversation; `body` is the request. */
async function linked({ api, project, secret }: World) {
  const start = {
    project_id: project,
    op_name: `op-${secret}`,
    started_at: '2026-06-01T12:00:00Z',
    attributes: {},
    inputs: {},
  }
  const { id, trace_id } = await api.ok('/call/start', { start })
  const call = { source_kind: 'call', source_id: id, source_trace_id: '' }
  const conversation = { source_kind: 'conversation', source_id: `talk-${secret}`, source_trace_id: '' }
  const body = {
    project_id: project,
    dataset_object_id: DATASET,
    dataset_digest: 'd',
    links: [
      { row_digest: 'b', sources: [conversation, call], link_metadata: { by: secret } },
      { row_digest: 'a', sources: [call] },
    ],
    include_created_status: true,
  }
  return { body, call, conversation, trace: String(trace_id) }
}

/** An operation on links that exist. */
function reading(
  path: string,
  more: (made: Awaited<ReturnType<typeof linked>>) => object,
  expected: (made: Awaited<ReturnType<typeof linked>>, secret: string) => object,
  ...wrong: (Sent & { why: string; status: number; at: string; body: object })[]
) {
  return operation('POST', path, 'read', async (world) => {
    const made = await linked(world)
    await world.api.ok('/dataset_sources/link', made.body)
    const body = { project_id: world.project, ...more(made) }
    return {
      valid: { body },
      effect: (answer) => expect(json<Row>(answer)).toEqual(expected(made, world.secret)),
      invalid: [
        { why: 'no project', body: { ...body, project_id: undefined }, status: 422, at: 'body.project_id' },
        ...wrong.map((one) => ({ ...one, body: { ...body, ...one.body } })),
      ],
    }
  })
}

const AT = expect.stringMatching(/^20.*Z$/)
const AT_ID = expect.stringMatching(/^[0-9a-f]{32}$/)

export const datasetSources = [
  operation('POST', '/dataset_sources/link_delete', 'write', async (world) => {
    const { body, call } = await linked(world)
    const { entries } = await world.api.ok('/dataset_sources/link', body)
    const [first, second] = (entries as { link_id: string }[]).map(({ link_id }) => link_id) as [
      string,
      string,
    ]
    const asked = { project_id: world.project, link_ids: [first, first] }
    const list = async (include_deleted: boolean) => {
      const query = { project_id: world.project, dataset_object_id: DATASET, include_deleted }
      const { links } = await world.api.ok('/dataset_sources/query', query)
      return (links as Row[]).map(({ id, deleted_at }) => [id === first, deleted_at]).sort()
    }
    const live = [false, null]
    return {
      valid: { body: asked },
      effect: async (answer) => {
        const gone = (deleted: boolean) => ({ link_id: first, deleted })
        expect(json(answer)).toEqual({ entries: [gone(true), gone(false)] })
        expect(await list(false)).toEqual([live, live])
        expect(await list(true)).toEqual([live, live, [true, AT]])
        const sources = {
          project_id: world.project,
          sources: [{ ...call, source_kind: 'conversation', source_id: `talk-${world.secret}` }],
        }
        expect(await world.api.ok('/dataset_sources/source_datasets_query', sources)).toEqual({
          memberships: [],
        })
        const again = await world.api.ok('/dataset_sources/link', body)
        expect((again.entries as Row[])[0]).toEqual({ link_id: first, created: true })
        expect(await list(false)).toHaveLength(3)
      },
      invalid: [
        { why: 'an unknown link', body: { ...asked, link_ids: [second, 'nope'] }, status: 400 },
        { why: 'no list', body: { ...asked, link_ids: null }, status: 422, at: 'body.link_ids' },
      ],
    }
  }),

  operation('POST', '/dataset_sources/link', 'write', async (world) => {
    const { body, call } = await linked(world)
    const source = (more: object) => ({
      ...body,
      links: [{ row_digest: 'a', sources: [{ ...call, ...more }] }],
    })
    const many = Array.from({ length: 1001 }, () => call)
    return {
      valid: { body },
      effect: async (answer) => {
        const { entries } = json<{ entries: { link_id: string }[] }>(answer)
        expect(entries.map((one) => ({ ...one, link_id: typeof one.link_id }))).toEqual(
          entries.map(() => ({ link_id: 'string', created: true })),
        )
        expect(new Set(entries.map(({ link_id }) => link_id)).size).toBe(3)
        const again = await world.api.ok('/dataset_sources/link', body)
        expect(again.entries).toEqual(entries.map(({ link_id }) => ({ link_id, created: false })))
        const none = await world.api.ok('/dataset_sources/link', { ...body, links: [] })
        expect(none).toEqual({ entries: [] })
      },
      invalid: [
        { why: 'an unknown call', body: source({ source_id: 'nope' }), status: 400 },
        { why: 'a span without a trace', body: source({ source_kind: 'span' }), status: 400 },
        {
          why: 'a span of another trace',
          body: source({ source_kind: 'span', source_trace_id: 'x' }),
          status: 400,
        },
        {
          why: 'a conversation with a trace',
          body: source({ source_kind: 'conversation', source_trace_id: 'x' }),
          status: 400,
        },
        { why: 'too many', body: { ...body, links: [{ row_digest: 'a', sources: many }] }, status: 413 },
        {
          why: 'an unknown kind',
          body: source({ source_kind: 'dream' }),
          status: 422,
          at: 'body.links.0.sources.0.source_kind',
        },
      ],
    }
  }),

  reading(
    '/dataset_sources/query',
    () => ({ dataset_object_id: DATASET }),
    ({ call, conversation, trace }, secret) => {
      const kept = {
        id: AT_ID,
        added_by: expect.any(String),
        created_at: AT,
        updated_at: AT,
        deleted_at: null,
      }
      const ofCall = {
        ...call,
        ...kept,
        source_trace_id: trace,
        source_started_at: '2026-06-01T12:00:00Z',
        source_display_name: `op-${secret}`,
      }
      return {
        links: [
          { ...ofCall, row_digest: 'a', link_metadata: null },
          { ...ofCall, row_digest: 'b', link_metadata: { by: secret } },
          {
            ...conversation,
            ...kept,
            row_digest: 'b',
            source_started_at: AT,
            source_display_name: '',
            link_metadata: { by: secret },
          },
        ],
      }
    },
    { why: 'an unknown kind', body: { source_kinds: ['dream'] }, status: 422, at: 'body.source_kinds.0' },
  ),

  reading(
    '/dataset_sources/source_datasets_query',
    ({ call, conversation }) => ({
      sources: [call, conversation, { ...conversation, source_id: 'unknown' }],
    }),
    ({ call, conversation, trace }) => {
      const more = { dataset_object_id: DATASET, row_digests_truncated: false, first_seen_at: AT }
      return {
        memberships: [
          { ...call, ...more, source_trace_id: trace, row_digests: ['a', 'b'], row_digests_total_count: 2 },
          { ...conversation, ...more, row_digests: ['b'], row_digests_total_count: 1 },
        ],
      }
    },
    { why: 'no list', body: { sources: null }, status: 422, at: 'body.sources' },
  ),
]
