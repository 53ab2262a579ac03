/** A project that has something on every screen, and the address of each. */
import { complete, v2 } from '../../test/support/calls.js'
import type { Endpoint } from '../../test/support/endpoint.js'
import { Evaluations } from '../../test/support/evaluations.js'
import { hex, uuid7 } from '../../test/support/ids.js'
import { exportRequest } from '../../test/support/otlp.js'
import { Stub } from '../../test/support/stub.js'

/** What an address has in it, and what its screen shows then. */
export type Address = { shows: string; '?'?: string } & Record<string, string>

/** By the path of the route. */
export type Addresses = Record<string, Address>

/** The address of a route in a project. */
export function pathOf(route: string, address: Address, project: string): string {
  const [entity = '', name = ''] = project.split('/')
  const given: Record<string, string> = { ...address, entity, project: name }
  const path = route.replaceAll(/\$(\w+)/g, (_, param: string) => encodeURIComponent(given[param]!))
  return address['?'] === undefined ? path : `${path}?${address['?']}`
}

/** @param say what stands for a text of a user */
export async function seed(
  server: Endpoint,
  project: string,
  say: (plain: string) => string = (plain) => plain,
): Promise<Addresses> {
  // Ids are one line of at most 256 characters, names of ops of 128.
  const id = (plain: string, most = 250) => say(plain).replaceAll(/\s+/g, ' ').slice(0, most)
  const ids = {
    thread: id('cities'),
    conversation: id('order 4471'),
    agent: id('Weather'),
    endUser: id('ann@example.com'),
  }
  const own = new Evaluations(server.api, project)
  const op = await server.api.ok(v2(project, 'ops'), {
    name: 'answer',
    source_code: `def answer(question):\n    return ${JSON.stringify(say('Rome'))}\n`,
  })
  const opRef = `weave:///${project}/op/answer:${op.digest}`
  const [root, ask, tool] = [uuid7(), uuid7(), uuid7()]
  const at = (seconds: number) => new Date(Date.now() - 600_000 + seconds * 1000).toISOString()
  const part = (id: string, op_name: string, from: number, to: number, more: object) => ({
    ...complete(project),
    ...{ id, trace_id: root, op_name, started_at: at(from), ended_at: at(to), ...more },
  })
  const text = say('Where is **order 4471**?')
  const called = {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: '1', type: 'function', function: { name: say('lookup'), arguments: '{"order":4471}' } },
    ],
  }
  const calls = [
    part(root, opRef, 0, 9, {
      ...{ inputs: { [say('question')]: text }, output: { answer: say('It is shipped.') } },
      ...{ thread_id: ids.thread, turn_id: root, display_name: say('answer a question') },
      attributes: { env: say('prod'), user_id: ids.endUser },
    }),
    part(ask, 'chat', 1, 5, {
      ...{ parent_id: root, thread_id: ids.thread, turn_id: root },
      inputs: {
        model: 'gpt-4o-mini',
        messages: [
          { role: 'system', content: say('Be short.') },
          { role: 'user', content: text },
          called,
          { role: 'tool', tool_call_id: '1', content: JSON.stringify({ status: say('shipped') }) },
        ],
      },
      output: {
        choices: [
          {
            message: {
              role: 'assistant',
              content: say('It is *shipped*.'),
              reasoning_content: say('It says so.'),
            },
          },
        ],
      },
      summary: { usage: { 'gpt-4o-mini': { prompt_tokens: 1200, completion_tokens: 80, requests: 1 } } },
    }),
    part(tool, id('lookup', 120), 5, 8, {
      ...{ parent_id: root, inputs: { order: 4471 }, exception: `Traceback\nKeyError: ${say('4471')}` },
    }),
  ]
  await server.api.ok(v2(project, 'calls/complete'), { batch: calls })
  await server.api.ok('/feedback/create', {
    project_id: project,
    weave_ref: `weave:///${project}/call/${ask}`,
    feedback_type: 'wandb.note.1',
    payload: { note: say('well said') },
  })

  const said = (role: string, content: string) =>
    JSON.stringify([{ role, parts: [{ type: 'text', content: say(content) }] }])
  const shared = { 'gen_ai.conversation.id': ids.conversation, 'gen_ai.agent.name': ids.agent }
  const ns = (seconds: number) => BigInt(Date.now() - 600_000 + seconds * 1000) * 1_000_000n
  const [traceId, agentSpan] = [hex(16), hex(8)]
  const span = (name: string, from: number, attributes: Record<string, string | number>) => ({
    ...{ traceId, spanId: hex(8), parentId: agentSpan, name, start: ns(from), end: ns(from + 2) },
    attributes: { ...shared, ...attributes },
  })
  const spans = [
    {
      ...{ traceId, spanId: agentSpan, name: `invoke_agent ${ids.agent}`, start: ns(0), end: ns(8) },
      attributes: { ...shared, 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.version': '1' },
    },
    span('chat gpt-4o', 1, {
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' },
      ...{ 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 10 },
      'gen_ai.input.messages': said('user', 'Is it wet?'),
      'gen_ai.output.messages': said('assistant', 'Very.'),
    }),
    span('execute_tool rain', 4, {
      ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': say('rain') },
      ...{ 'gen_ai.tool.call.arguments': '{"place":"Bonn"}', 'gen_ai.tool.call.result': say('wet') },
    }),
  ]
  const headers = { 'content-type': 'application/x-protobuf', project_id: project }
  await server.api.send('POST', '/agents/otel/v1/traces', Buffer.from(exportRequest({ spans })), headers)

  const prompt = (content: string) =>
    own.publish('greeting', 'StringPrompt', ['Prompt'], {
      name: 'greeting',
      description: say('hi'),
      content: say(content),
    })
  await prompt('Be kind.\nBe short.')
  const digest = (await prompt('Be kind.\nBe exact.')).split(':').at(-1)!

  const provider = await Stub.start('chat-provider')
  try {
    const val = { base_url: provider.url, api_key_name: '' }
    const obj = { project_id: project, object_id: 'stub', builtin_object_class: 'Provider', val }
    await server.api.ok('/obj/create', { obj })
    const exact = await own.scorer('exact', 'ExactMatchScorer', { trim: true })
    const evaluation = await own.evaluation(
      ['Paris', 'Rome'].map((city) => ({ question: `say ${say(city)}`, expected: say(city) })),
      [exact],
    )
    const good = await own.model('stub/good', {}, 'good')
    const bad = await own.model(
      'stub/bad',
      { messages_template: [{ role: 'user', content: `say ${say('Paris')}` }] },
      'bad',
    )
    const runs = [await own.begin(evaluation, good), await own.begin(evaluation, bad)]
    for (const run of runs) await own.ended(run)
    const columns = [
      {
        evaluation_object_ref: evaluation,
        scorer_name: 'exact',
        summary_metric_path: 'passed.true_fraction',
      },
    ]
    await own.publish('best', 'Leaderboard', [], { name: say('Best'), description: say('Say it.'), columns })
    const panels = [{ metric: 'calls', title: say('Calls') }]
    await own.publish('mine', 'Dashboard', [], { name: say('mine'), panels })
    const scorer = await own.publish('is-it-right', 'AnnotationSpec', [], {
      ...{ name: say('Is it right?'), description: say('Look well.'), field_schema: { type: 'boolean' } },
    })
    await server.api.ok('/monitors/create', {
      ...{ project_id: project, name: 'refusals', op_names: ['answer'], sampling_rate: 0.5 },
      ...{ signals: ['refusal'], active: false },
    })
    await server.api.ok('/alerts/save', {
      ...{ project_id: project, name: 'too-many', description: say('Call us.'), active: false },
      ...{ source: { type: 'calls', metric: 'call_count', aggregation: 'sum' }, alert_at: 100 },
    })
    await server.api.ok('/rules/save', {
      ...{ project_id: project, name: 'review-failures', description: say('Look at it.'), active: false },
      trigger: { type: 'score', feedback_type: 'wandb.note.1', json_path: 'note' },
      actions: [{ type: 'add_to_queue', queue: id('to look at') }],
    })
    const { id: queueId } = await server.api.ok('/annotation_queues', {
      ...{
        project_id: project,
        name: id('to look at'),
        description: say('Only capitals.'),
        scorer_refs: [scorer],
      },
    })
    await server.api.ok(`/annotation_queues/${queueId}/items`, {
      ...{ project_id: project, call_ids: [ask, root], display_fields: ['inputs', 'output'] },
    })
    const weave = '/$entity/$project/weave'
    const thread = { id: ids.thread }
    const conversation = { id: ids.conversation }
    return {
      '/': { shows: project },
      '/settings': { shows: 'Make a key' },
      '/mentions': { shows: 'Nobody mentioned you' },
      '/training': { shows: 'No training interface is configured' },
      '/$entity/$project': { shows: 'answer a question' },
      [`${weave}`]: { shows: 'answer a question' },
      [`${weave}/traces`]: { shows: 'answer a question' },
      [`${weave}/objects`]: { shows: 'greeting' },
      [`${weave}/datasets`]: { shows: 'rows' },
      [`${weave}/ops`]: { shows: 'answer' },
      [`${weave}/prompts`]: { shows: 'greeting' },
      [`${weave}/models`]: { shows: 'good' },
      [`${weave}/objects/$id`]: { shows: 'Be exact.', id: 'greeting' },
      [`${weave}/objects/$id/versions/$digest`]: { shows: 'Be exact.', id: 'greeting', digest },
      [`${weave}/ops/$id`]: { shows: 'def answer', id: 'answer' },
      [`${weave}/ops/$id/versions/$digest`]: {
        ...{ shows: 'def answer', id: 'answer' },
        digest: String(op.digest),
      },
      [`${weave}/datasets/$id`]: { shows: 'say Paris', id: 'rows' },
      [`${weave}/evaluations`]: { shows: 'good' },
      [`${weave}/evaluations/compare`]: { shows: 'exact.passed', '?': `runs=${runs.join()}` },
      [`${weave}/compare-evaluations`]: { shows: 'exact.passed', '?': `runs=${runs.join()}` },
      [`${weave}/leaderboards`]: { shows: 'best' },
      [`${weave}/leaderboards/$id`]: { shows: 'good', id: 'best' },
      [`${weave}/threads`]: { shows: 'cities' },
      [`${weave}/threads/$id`]: { shows: 'It is shipped.', ...thread },
      [`${weave}/end-users`]: { shows: 'ann@example.com', '?': 'range=any' },
      [`${weave}/end-users/$id`]: { shows: 'Last threads', id: ids.endUser },
      [`${weave}/agents`]: { shows: 'Weather' },
      [`${weave}/agents/named/$id`]: { shows: 'Latency of invocations', id: ids.agent },
      [`${weave}/agents/conversations`]: { shows: 'order 4471' },
      [`${weave}/agents/conversations/$id`]: { shows: 'Very.', ...conversation },
      [`${weave}/playground`]: { shows: 'Its answer comes here', '?': `call=${ask}` },
      [`${weave}/sql`]: { shows: '1 row', '?': 'q=SELECT%201' },
      [`${weave}/dashboards`]: { shows: 'Tokens by model' },
      [`${weave}/dashboards/$id`]: { shows: 'Calls', id: 'mine' },
      [`${weave}/settings`]: { shows: 'Days that calls are kept' },
      [`${weave}/monitors`]: { shows: 'refusals' },
      [`${weave}/alerts`]: { shows: 'too-many' },
      [`${weave}/rules`]: { shows: 'review-failures' },
      [`${weave}/queues`]: { shows: 'to look at' },
      [`${weave}/queues/$id`]: { shows: '0 of 2 done', id: String(queueId) },
      [`${weave}/training`]: { shows: 'No training interface is configured' },
      [`${weave}/training/new`]: { shows: 'New or existing model' },
      '/$entity/$project/r/call/$id': { shows: 'shipped', id: ask },
    }
  } finally {
    await provider.stop()
  }
}
