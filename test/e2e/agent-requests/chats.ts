/** What the fields of requests for conversations, and for texts in them, do. */
import type { Row } from '../../support/api.js'
import { type Case, list, type Route } from './case.js'
import { iso, LONG, type Talk } from './talk.js'

const shown = ({ messages }: Row) => (messages as Row[]).map(({ type }) => type)
/** Whether a preview is the whole text. */
const areWhole = ({ results }: Row) =>
  (results as { matched_messages: { content_preview: string }[] }[]).flatMap(({ matched_messages }) =>
    matched_messages.map(({ content_preview }) => content_preview.includes(LONG)),
  )
const roles = ({ results }: Row) =>
  (results as { matched_messages: { role: string }[] }[]).flatMap(({ matched_messages }) =>
    matched_messages.map(({ role }) => role),
  )

export function chatRoutes({ traces }: Talk): Route[] {
  const searches: Case[] = [
    { field: 'query', body: { query: 'Very' }, sees: ['assistant'] },
    { field: 'trace_id', body: { trace_id: traces.B }, sees: ['user'] },
    { field: 'roles', body: { roles: ['tool'] }, sees: ['tool_result'] },
    { field: 'conversation_id', body: { conversation_id: 'c2' }, sees: ['assistant'] },
    { field: 'agent_name', body: { agent_name: 'Travel' }, sees: ['assistant'] },
    { field: 'provider_name', body: { provider_name: 'anthropic' }, sees: ['user'] },
    { field: 'request_model', body: { request_model: 'model-b' }, sees: ['user'] },
    { field: 'started_after', body: { started_after: iso(61), roles: ['user'] }, sees: ['user'] },
    { field: 'started_before', body: { started_before: iso(60), roles: ['user'] }, sees: ['user'] },
    { field: 'limit', body: { limit: 1 }, sees: ['assistant'] },
    { field: 'offset', body: { offset: 4 }, sees: ['assistant'] },
    {
      field: 'truncate_content',
      body: { query: LONG, truncate_content: false },
      view: areWhole,
      sees: [true],
    },
  ]
  const conversation = { conversation_id: 'c1' }
  const turns = list('turns', ({ agent_version }) => agent_version)
  return [
    { path: '/agents/search', view: roles, cases: searches },
    {
      path: '/agents/traces/chat',
      view: shown,
      cases: [
        { field: 'trace_id', body: { trace_id: traces.B }, sees: ['user_message', 'agent_start'] },
        {
          field: 'include_feedback',
          body: { trace_id: traces.A, include_feedback: true },
          view: ({ feedback }) => feedback,
          sees: [],
        },
        {
          field: 'include_model_tool_calls',
          body: { trace_id: traces.C, include_model_tool_calls: true },
          sees: ['agent_start', 'tool_call'],
        },
      ],
    },
    {
      path: '/agents/conversations/chat',
      view: turns,
      cases: [
        { field: 'conversation_id', body: conversation, sees: ['2', '3'] },
        { field: 'limit', body: { ...conversation, limit: 1 }, sees: ['3'] },
        { field: 'offset', body: { ...conversation, offset: 1 }, sees: ['2'] },
        {
          field: 'include_feedback',
          body: { ...conversation, include_feedback: true },
          view: ({ feedback }) => (feedback as unknown[] | null)?.length,
          sees: 1,
        },
        {
          field: 'include_model_tool_calls',
          body: { conversation_id: 'c2', include_model_tool_calls: true },
          view: ({ turns: all }) => (all as Row[]).map(shown),
          sees: [['agent_start', 'tool_call']],
        },
      ],
    },
    {
      path: '/agents/conversations/spans',
      view: list('conversations', ({ spans }) => (spans as unknown[]).length),
      cases: [
        { field: 'conversation_ids', body: { conversation_ids: ['c2', 'c1'] }, sees: [1, 4] },
        { field: 'started_after', body: { conversation_ids: ['c1'], started_after: iso(61) }, sees: [1] },
        { field: 'started_before', body: { conversation_ids: ['c1'], started_before: iso(1) }, sees: [1] },
      ],
    },
  ]
}
