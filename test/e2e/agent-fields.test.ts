/** Every field that the agents routes describe: it is in their answers, and has a value where there is something to say. */
import { beforeAll, expect, it } from 'vitest'
import type { Api } from '../support/api.js'
import { freshProject, hex } from '../support/ids.js'
import { exportRequest, type SpanInput, type Value } from '../support/otlp.js'
import { type Description, SeenFields } from '../support/seen-fields.js'
import { sharedServer } from '../support/shared-server.js'

let api: Api
beforeAll(async () => {
  api = (await sharedServer()).api
})

const START = 1_780_315_200_000_000_000n
const WINDOW = { start: '2026-06-01T12:00:00Z', end: '2026-06-01T12:02:00Z' }
const MODEL = 'model-of-all-fields'
const IMAGE = 'weave:///acme/app/object/picture:abcdefabcdefabcdefabcdefabcdefab'

const said = (role: string, ...parts: object[]) => JSON.stringify([{ role, parts, finish_reason: 'stop' }])
const text = (content: string) => ({ type: 'text', content })

/** All that a span of an agent can say. */
const ALL: Record<string, Value> = {
  'gen_ai.agent.name': 'Weather',
  'gen_ai.agent.id': 'w-1',
  'gen_ai.agent.description': 'Knows the weather',
  'gen_ai.agent.version': '2',
  'gen_ai.provider.name': 'openai',
  'gen_ai.conversation.id': 'c1',
  'gen_ai.conversation.name': 'Umbrellas',
  'gen_ai.request.model': MODEL,
  'gen_ai.response.model': MODEL,
  'gen_ai.response.id': 'r-1',
  'gen_ai.response.finish_reasons': ['stop'],
  'gen_ai.usage.input_tokens': 100,
  'gen_ai.usage.output_tokens': 10,
  'gen_ai.usage.reasoning.output_tokens': 5,
  'gen_ai.usage.cache_creation.input_tokens': 7,
  'gen_ai.usage.cache_read.input_tokens': 20,
  'gen_ai.request.temperature': 0.5,
  'gen_ai.request.max_tokens': 100,
  'gen_ai.request.top_p': 0.9,
  'gen_ai.request.frequency_penalty': 0.1,
  'gen_ai.request.presence_penalty': 0.2,
  'gen_ai.request.seed': 3,
  'gen_ai.request.stop_sequences': ['END'],
  'gen_ai.request.choice.count': 2,
  'gen_ai.output.type': 'text',
  'gen_ai.tool.name': 'rain',
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': 't-1',
  'gen_ai.tool.description': 'Measures rain',
  'gen_ai.tool.definitions': '[{"name":"rain"}]',
  'gen_ai.tool.call.arguments': '{"place":"Köln"}',
  'gen_ai.tool.call.result': 'wet',
  'gen_ai.input.messages': said('user', text('Is it wet?'), { type: 'uri', uri: IMAGE, modality: 'image' }),
  'gen_ai.output.messages': said(
    'assistant',
    { type: 'reasoning', content: 'It is autumn.' },
    text('Very.'),
    { type: 'uri', uri: IMAGE, modality: 'image' },
  ),
  'gen_ai.system_instructions': '[{"type":"text","content":"Be brief."}]',
  'error.type': 'Drowned',
  'server.address': 'localhost',
  'server.port': 8000,
  'weave.compaction.summary': 'It rained.',
  'weave.compaction.items_before': 9,
  'weave.compaction.items_after': 2,
  'weave.content_refs': [IMAGE],
  'weave.artifact_refs': [IMAGE],
  'weave.object_refs': [IMAGE],
  'weave.eval.run_id': 'e-1',
  'weave.eval.predict_and_score_call_id': 'p-1',
  'weave.eval.kind': 'predict',
  'weave.eval.row_digest': 'd-1',
  'weave.eval.example_id': 'x-1',
  'weave.eval.trial_index': 1,
  'weave.eval.evaluation_name': 'E',
  'weave.parent_call.id': 'k-1',
  'weave.parent_call.trace_id': 'kt-1',
  'wandb.wb_run_id': 'run-1',
  'wandb.wb_run_step': 4,
  'wandb.wb_run_step_end': 5,
  'user.tier': 'gold',
  'user.age': 30,
  'user.score': 2.5,
  'user.vip': true,
}

const trace = hex(16)
const root = hex(8)

/** An agent that asks its model and a tool; each says all there is to say. */
function spans(): SpanInput[] {
  const of = (name: string, second: number, more: Partial<SpanInput> = {}): SpanInput => ({
    ...{ traceId: trace, spanId: hex(8), parentId: root, name, kind: 3 },
    ...{ start: START + BigInt(second) * 1_000_000_000n, end: START + BigInt(second + 1) * 1_000_000_000n },
    attributes: ALL,
    status: { code: 2, message: 'too wet' },
    ...more,
  })
  return [
    of('chat', 1),
    of('execute_tool rain', 2),
    { ...of('invoke_agent Weather', 0), spanId: root, parentId: '', end: START + 4_000_000_000n },
  ]
}

async function filled(): Promise<string> {
  const project = freshProject()
  const cost = {
    ...{ prompt_token_cost: 1e-6, completion_token_cost: 2e-6 },
    ...{ cache_read_input_token_cost: 5e-7, cache_creation_input_token_cost: 3e-6 },
  }
  await api.ok('/cost/create', { project_id: project, costs: { [MODEL]: cost } })
  const headers = { 'content-type': 'application/x-protobuf', project_id: project }
  const sent = await api.send(
    'POST',
    '/agents/otel/v1/traces',
    Buffer.from(exportRequest({ spans: spans() })),
    headers,
  )
  expect(sent.status).toBe(200)
  const ref = (kind: string, name: string) =>
    `weave:///${project}/${kind}/${name}:abcdefabcdefabcdefabcdefabcdefab`
  const feedback = {
    ...{
      project_id: project,
      feedback_type: 'wandb.agent_monitor',
      payload: { note: 'wet' },
      creator: 'ann',
    },
    ...{
      scorer_tags: ['good'],
      scorer_tag_reasons: { good: 'it is' },
      scorer_tag_confidences: { good: 0.9 },
    },
    scorer_ratings: { _rating_: 0.5 },
    ...{ scorer_rating_reasons: { _rating_: 'fair' }, scorer_rating_confidences: { _rating_: 0.8 } },
    ...{ runnable_ref: ref('op', 'judge'), call_ref: `weave:///${project}/call/k-1` },
    trigger_ref: ref('object', 'monitor'),
  }
  const spec = { _type: 'AnnotationSpec', _class_name: 'AnnotationSpec', _bases: ['Object', 'BaseModel'] }
  const { digest } = await api.ok('/obj/create', {
    obj: {
      ...{ project_id: project, object_id: 'label', builtin_object_class: 'AnnotationSpec' },
      val: { ...spec, name: 'label', field_schema: { type: 'integer' } },
    },
  })
  const label = {
    ...{ project_id: project, feedback_type: 'wandb.annotation.label', payload: { value: 1 } },
    annotation_ref: `weave:///${project}/object/label:${digest}`,
  }
  const [conversation, turn, span] = ['agent_conversation/c1', `agent_turn/${trace}`, `agent_span/${root}`]
  for (const part of [conversation, turn, span])
    for (const one of [feedback, label])
      await api.ok('/feedback/create', { ...one, weave_ref: `weave:///${project}/${part}` })
  await api.ok('/feedback/create', {
    ...{ ...feedback, weave_ref: `weave:///${project}/${turn}` },
    span_conversation_id: 'c1',
  })
  return project
}

const measure = { alias: 'n', aggregation: 'count' }
const custom = ['string', 'int', 'float', 'bool'].map((type, i) => ({
  source: `custom_attrs_${type}`,
  key: ['user.tier', 'user.age', 'user.score', 'user.vip'][i],
}))
const duration = { source: 'derived', key: 'duration_ms' }

/** Requests that together ask for everything. */
const REQUESTS: readonly [path: string, body: object][] = [
  ['/agents/query', { include_costs: true }],
  ['/agents/agent-versions/query', { agent_name: 'Weather', include_costs: true }],
  ['/agents/spans/query', { include_details: true, include_costs: true, custom_attr_columns: custom }],
  [
    '/agents/spans/query',
    {
      ...{ group_by: [{ key: 'conversation_id' }], include_costs: true, measures: [measure] },
      group_distributions: custom.map((value, i) => ({ alias: `d${i}`, value, bins: 2 })),
    },
  ],
  [
    '/agents/spans/stats',
    {
      ...{ ...WINDOW, granularity: 60, timezone: 'UTC', group_by: [{ key: 'agent_name' }] },
      metrics: [{ alias: 'took', value_type: 'number', value: duration, aggregations: ['avg'] }],
    },
  ],
  ['/agents/spans/stats', { ...WINDOW, bucket_by: { type: 'number', value: duration } }],
  ['/agents/spans/custom-attrs/schema', {}],
  ['/agents/search', { query: 'wet' }],
  ['/agents/traces/chat', { trace_id: trace, include_feedback: true }],
  ['/agents/conversations/chat', { conversation_id: 'c1', include_feedback: true }],
  ['/agents/conversations/spans', { conversation_ids: ['c1'] }],
]

/** Nobody hands over: agents are seen to call others, not to end for them. */
const NEVER = ['/agents/conversations/chat.turns[].messages[]', '/agents/traces/chat.messages[]'].map(
  (message) => `${message}.agent_handoff`,
)

it('is there, and has a value', async () => {
  const project = await filled()
  const seen = new SeenFields(JSON.parse((await api.get('/openapi.json')).text) as Description)
  for (const [path, body] of REQUESTS)
    seen.look('POST', path, await api.ok(path, { project_id: project, ...body }))
  expect(seen.empty).toEqual(NEVER)
})

it('groups show what was said first and last, and how values are spread', async () => {
  const project = await filled()
  const { groups } = await api.ok('/agents/spans/query', {
    project_id: project,
    group_by: [{ key: 'conversation_id' }],
    group_distributions: custom.map((value, i) => ({ alias: `d${i}`, value, bins: 2 })),
  })
  const all = { total_count: 3, present_count: 3, missing_count: 0, other_count: 0 }
  expect(groups).toMatchObject([
    {
      conversation_names: ['Umbrellas'],
      first_message: { role: 'user_message', text: 'Is it wet?' },
      last_message: { role: 'assistant_message', text: 'Very.' },
      distributions: {
        d0: { ...all, value_type: 'string', bins: [], values: [{ value: 'gold', count: 3 }] },
        d1: { ...all, value_type: 'int', bins: [{ index: 0, min: 30, max: 30, count: 3 }], values: [] },
        d2: { ...all, value_type: 'float', bins: [{ index: 0, min: 2.5, max: 2.5, count: 3 }], values: [] },
        d3: { ...all, value_type: 'bool', bins: [], values: [{ value: 'true', count: 3 }] },
      },
    },
  ])
  const wrong = { alias: 'd', value: { key: 'input_tokens' } }
  const answer = await api.post('/agents/spans/query', {
    ...{ project_id: project, group_by: [{ key: 'agent_name' }], group_distributions: [wrong] },
  })
  expect(answer.status).toBe(422)
})
