/** Two conversations with two agents, in three traces, with prices and feedback. */
import type { Api } from '../../support/api.js'
import { freshProject, hex } from '../../support/ids.js'
import { exportRequest, type SpanInput, type Value } from '../../support/otlp.js'

const START = 1_780_315_200_000_000_000n
/** A second of the talk. */
export const iso = (second: number) =>
  new Date(Number(START / 1_000_000n) + second * 1000).toISOString().replace('.000Z', 'Z')

export const LONG = `dry ${'x'.repeat(600)}`
const said = (role: string, ...parts: object[]) => JSON.stringify([{ role, parts }])
const text = (content: string) => ({ type: 'text', content })

export interface Talk {
  project: string
  traces: { A: string; B: string; C: string }
}

/** The spans of the three traces; each is named by what it does and its trace. */
function spans({ A, B, C }: Talk['traces']): SpanInput[] {
  const roots = { [A]: hex(8), [B]: hex(8), [C]: hex(8) }
  const of = (
    traceId: string,
    name: string,
    [from, to]: readonly [number, number],
    attributes: Record<string, Value>,
    more: Partial<SpanInput> = {},
  ): SpanInput => ({
    ...{ traceId, spanId: hex(8), parentId: roots[traceId]!, name, attributes },
    ...{ start: START + BigInt(from * 1e9), end: START + BigInt(to * 1e9), ...more },
  })
  const root = (traceId: string) => ({ spanId: roots[traceId]!, parentId: '' })
  const agent = (name: string, version: string, conversation: string) => ({
    'gen_ai.agent.name': name,
    'gen_ai.agent.version': version,
    'gen_ai.conversation.id': conversation,
  })
  const model = (provider: string, name: string, tokens: number) => ({
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': name,
    'gen_ai.usage.input_tokens': tokens,
    'gen_ai.usage.output_tokens': tokens / 10,
  })
  const own = (tier: string, age: number, score: number, vip: boolean) => ({ tier, age, score, vip })
  const bookings = said('assistant', { type: 'tool_call', id: 'b-1', name: 'book', arguments: {} })
  return [
    of(A, 'invoke_agent A', [0, 4], agent('Weather', '2', 'c1'), root(A)),
    of(A, 'chat A', [1, 2], {
      ...{
        ...agent('Weather', '2', 'c1'),
        ...model('openai', 'model-a', 100),
        ...own('gold', 30, 2.5, true),
      },
      'gen_ai.input.messages': said('user', text('Is it wet?')),
      'gen_ai.output.messages': said('assistant', text('Very.')),
    }),
    of(
      A,
      'execute_tool A',
      [2, 3],
      { 'gen_ai.tool.name': 'rain', 'gen_ai.tool.call.result': 'wet' },
      { status: { code: 2, message: 'no umbrella' } },
    ),
    of(B, 'invoke_agent B', [60, 62], agent('Weather', '3', 'c1'), root(B)),
    of(B, 'chat B', [61, 62], {
      ...{ ...agent('Weather', '3', 'c1'), ...model('anthropic', 'model-b', 40) },
      ...own('silver', 50, 3.5, false),
      'gen_ai.input.messages': said('user', text(LONG)),
    }),
    of(
      C,
      'invoke_agent C',
      [120, 121],
      { ...agent('Travel', '1', 'c2'), 'gen_ai.output.messages': bookings },
      root(C),
    ),
  ]
}

/** A project with all of it. */
export async function talked(api: Api): Promise<Talk> {
  const project = freshProject()
  const traces = { A: hex(16), B: hex(16), C: hex(16) }
  await api.ok('/cost/create', {
    project_id: project,
    costs: { 'model-a': { prompt_token_cost: 1, completion_token_cost: 2 } },
  })
  const headers = { 'content-type': 'application/x-protobuf', project_id: project }
  const sent = await api.send(
    'POST',
    '/agents/otel/v1/traces',
    Buffer.from(exportRequest({ spans: spans(traces) })),
    headers,
  )
  if (sent.status !== 200) throw new Error(sent.text)
  const opinions = [
    ['c1', 'good', 0.5],
    ['c2', 'bad', 0.9],
  ] as const
  for (const [conversation, tag, rating] of opinions)
    await api.ok('/feedback/create', {
      ...{ project_id: project, feedback_type: 'wandb.agent_user_feedback', payload: {} },
      weave_ref: `weave:///${project}/agent_conversation/${conversation}`,
      ...{ scorer_tags: [tag], scorer_ratings: { _rating_: rating } },
    })
  return { project, traces }
}
