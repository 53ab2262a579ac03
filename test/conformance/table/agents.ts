/** Operations on spans of agents. */
import { expect } from 'vitest'
import type { Row } from '../../support/api.js'
import { hex } from '../../support/ids.js'
import { exportRequest } from '../../support/otlp.js'
import { json, operation, type Sent, type World } from './operation.js'

const START = 1_780_315_200_000_000_000n
const AT = '2026-06-01T12:00:00Z'

/** A turn of an agent that is named by the secret, stored; returns the ids of its trace and span. */
async function turn({ api, project, secret }: World): Promise<{ traceId: string; spanId: string }> {
  const [traceId, spanId] = [hex(16), hex(8)]
  const attributes = {
    'gen_ai.conversation.id': `conversation-${secret}`,
    'gen_ai.agent.version': '1',
    'gen_ai.usage.input_tokens': 3,
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: `ask ${secret}` }]),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', content: `answer ${secret}` }]),
    [`own.${secret}`]: 'x',
  }
  const span = {
    traceId,
    spanId,
    name: `invoke_agent ${secret}`,
    start: START,
    end: START + 2_000_000_000n,
    attributes,
  }
  const headers = { 'content-type': 'application/x-protobuf', project_id: project }
  await api.send('POST', '/agents/otel/v1/traces', Buffer.from(exportRequest({ spans: [span] })), headers)
  return { traceId, spanId }
}

const eq = (field: string, value: unknown) => ({
  $expr: { $eq: [{ $getField: field }, { $literal: value }] },
})

/** An operation that reads; `expected` is a part of its answer. */
function reading(
  path: string,
  body: (secret: string, ids: { traceId: string; spanId: string }) => object,
  expected: (secret: string, ids: { traceId: string; spanId: string }) => object,
  ...wrong: (Omit<Sent, 'body'> & { why: string; status: number; at?: string; body: object })[]
) {
  return operation('POST', path, 'read', async (world) => {
    const { project, secret } = world
    const ids = await turn(world)
    const valid = { project_id: project, ...body(secret, ids) }
    return {
      valid: { body: valid },
      effect: (answer) => expect(json<Row>(answer)).toMatchObject(expected(secret, ids)),
      invalid: [
        { why: 'no project', body: { ...valid, project_id: undefined }, status: 422, at: 'body.project_id' },
        ...wrong.map((one) => ({ ...one, body: { ...valid, ...one.body } })),
      ],
    }
  })
}

const limit = { why: 'a limit below 0', body: { limit: -1 }, status: 422, at: 'body.limit' }
const measure = (more: object) => ({
  alias: 'm',
  aggregation: 'sum',
  value: { key: 'input_tokens' },
  ...more,
})

export const agents = [
  reading(
    '/agents/query',
    (secret) => ({
      filters: { agent_name: secret },
      sort_by: [{ field: 'span_count' }],
      include_costs: true,
    }),
    (secret) => ({
      agents: [
        { agent_name: secret, span_count: 1, invocation_count: 1, total_input_tokens: 3, last_seen: AT },
      ],
      total_count: 1,
    }),
    limit,
    { why: 'an unknown order', body: { sort_by: [{ field: 'color' }] }, status: 400 },
    {
      why: 'no direction',
      body: { sort_by: [{ field: 'span_count', direction: 'up' }] },
      status: 422,
      at: 'body.sort_by.0.direction',
    },
  ),
  reading(
    '/agents/agent-versions/query',
    (secret) => ({ agent_name: secret, include_costs: true }),
    (secret) => ({ versions: [{ agent_name: secret, agent_version: '1' }], total_count: 1 }),
    limit,
  ),
  reading(
    '/agents/spans/query',
    (secret) => ({ query: eq('agent.name', secret), include_details: true, include_costs: true }),
    (secret, { spanId }) => ({
      spans: [{ span_id: spanId, agent_name: secret, conversation_id: `conversation-${secret}` }],
      total_count: 1,
    }),
    limit,
    { why: 'measures without groups', body: { measures: [measure({})] }, status: 422, at: 'body.measures' },
    {
      why: 'details of groups',
      body: { group_by: [{ key: 'agent_name' }] },
      status: 422,
      at: 'body.include_details',
    },
    {
      why: 'a measure of nothing',
      body: {
        group_by: [{ key: 'agent_name' }],
        include_details: false,
        measures: [measure({ value: null })],
      },
      status: 422,
      at: 'body.measures',
    },
    {
      why: 'groups by a list',
      body: { group_by: [{ key: 'finish_reasons' }], include_details: false },
      status: 400,
    },
    { why: 'an unknown order', body: { sort_by: [{ field: 'color' }] }, status: 400 },
    { why: 'a search in messages', body: { query: eq('input_messages', 'x') }, status: 400 },
    { why: 'no operands', body: { query: { $expr: { $and: [] } } }, status: 400 },
  ),
  reading(
    '/agents/spans/stats',
    (secret) => ({
      start: '2026-06-01T11:00:00Z',
      end: '2026-06-01T13:00:00Z',
      granularity: 3600,
      group_by: [{ key: 'agent_name' }],
      query: eq('agent_name', secret),
      metrics: [
        {
          alias: 'in',
          value_type: 'number',
          value: { key: 'input_tokens' },
          aggregations: ['sum', 'max'],
          percentiles: [50],
        },
      ],
    }),
    (secret) => ({
      granularity: 3600,
      bucket_type: 'time',
      rows: [
        { timestamp: '2026-06-01T11:00:00Z', agent_name: secret, sum_in: 0, max_in: null, p50_in: null },
        { timestamp: AT, agent_name: secret, sum_in: 3, max_in: 3, p50_in: 3 },
      ],
    }),
    { why: 'no metrics', body: { metrics: [] }, status: 422, at: 'body.metrics' },
    { why: 'an unknown zone', body: { timezone: 'Mars/Crater' }, status: 422, at: 'body.timezone' },
    { why: 'an end before the start', body: { end: '2026-05-01T00:00:00Z' }, status: 422, at: 'body.end' },
    {
      why: 'a type that is not the value’s',
      body: { metrics: [{ alias: 'm', value_type: 'string', value: { key: 'input_tokens' } }] },
      status: 400,
    },
    {
      why: 'groups of groups',
      body: { group_filters: [{ measure: measure({}), min: 1 }] },
      status: 422,
      at: 'body.group_filters',
    },
  ),
  reading(
    '/agents/spans/custom-attrs/schema',
    () => ({}),
    (secret) => ({
      attributes: [
        { source: 'custom_attrs_string', key: `own.${secret}`, value_type: 'string', span_count: 1 },
      ],
      has_more: false,
    }),
    { why: 'a limit of 0', body: { limit: 0 }, status: 422, at: 'body.limit' },
  ),
  reading(
    '/agents/traces/chat',
    (_, { traceId }) => ({ trace_id: traceId, include_feedback: true }),
    (secret) => ({
      agent_name: secret,
      total_duration_ms: 2000,
      total_input_tokens: 3,
      messages: [
        { type: 'user_message', user_message: { text: `ask ${secret}` } },
        { type: 'agent_start', agent_name: secret },
        { type: 'assistant_message', assistant_message: { text: `answer ${secret}`, input_tokens: 3 } },
      ],
      feedback: [],
    }),
    { why: 'no trace', body: { trace_id: undefined }, status: 422, at: 'body.trace_id' },
  ),
  reading(
    '/agents/conversations/chat',
    (secret) => ({ conversation_id: `conversation-${secret}` }),
    (secret) => ({
      total_turns: 1,
      has_more: false,
      turns: [{ agent_name: secret, feedback: null }],
      feedback: null,
    }),
    { why: 'a limit above 50', body: { limit: 51 }, status: 422, at: 'body.limit' },
  ),
  reading(
    '/agents/conversations/spans',
    (secret) => ({ conversation_ids: ['unknown', `conversation-${secret}`] }),
    (secret, { spanId }) => ({
      conversations: [
        { conversation_id: 'unknown', spans: [], spans_feedback: [] },
        {
          conversation_id: `conversation-${secret}`,
          spans: [{ span_id: spanId, operation_name: 'invoke_agent', status: 'UNSET', duration_ms: 2000 }],
        },
      ],
    }),
    { why: 'a time that is none', body: { started_after: 'soon' }, status: 422, at: 'body.started_after' },
  ),
  reading(
    '/agents/search',
    (secret) => ({ query: `answer ${secret}`, roles: ['assistant'] }),
    (secret, { spanId }) => ({
      results: [
        {
          conversation_id: `conversation-${secret}`,
          agent_name: secret,
          matched_messages: [{ span_id: spanId, role: 'assistant', content_preview: `answer ${secret}` }],
        },
      ],
      total_conversations: 1,
    }),
    limit,
    { why: 'an unknown role', body: { roles: ['king'] }, status: 422, at: 'body.roles.0' },
  ),
]
