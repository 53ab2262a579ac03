/**
 * Every field of the requests that `agents.json` of the contract has: with it, the answer is what the field says; without
 * it, another one.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Api, dig, type Row } from '../support/api.js'
import { askedFields, type Description, without } from '../support/asked-fields.js'
import { sharedServer } from '../support/shared-server.js'
import type { Case, Route } from './agent-requests/case.js'
import { chatRoutes } from './agent-requests/chats.js'
import { projectRoutes } from './agent-requests/project.js'
import { spanRoutes } from './agent-requests/spans.js'
import { statsRoutes } from './agent-requests/stats.js'
import { type Talk, talked } from './agent-requests/talk.js'

let api: Api
let talk: Talk
let routes: Route[]
let description: Description
beforeAll(async () => {
  api = (await sharedServer()).api
  description = JSON.parse((await api.get('/openapi.json')).text) as Description
  talk = await talked(api)
  routes = [...spanRoutes, ...statsRoutes, ...chatRoutes(talk), ...(await projectRoutes(api, talk))]
})

/** Answers, by request: many cases have the same without their field. */
const answers = new Map<string, Promise<Answer>>()

function ask({ path, method = 'POST' }: Route, body: unknown): Promise<Answer> {
  const [entity = '', name = ''] = talk.project.split('/')
  const named = path.replace('{entity}', entity).replace('{project}', name).replace('{runtime_name}', 'lab')
  const whole = { ...(path === named && { project_id: talk.project }), ...(body as object) }
  const key = path + JSON.stringify(whole)
  if (!answers.has(key)) answers.set(key, api.send(method, named, whole))
  return answers.get(key)!
}

/** What is wrong with a field; undefined where nothing is. */
async function faultOf(route: Route, one: Case): Promise<string | undefined> {
  const { field, body, view = route.view, sees, refused, ignored } = one
  const [withField, other] = [await ask(route, body), await ask(route, without(body, field))]
  const seen = ({ status, text }: Answer) => (status === 200 ? view(JSON.parse(text) as Row) : [status, text])
  const is = (value: unknown, expected: unknown) => expect(value).toEqual(expected)
  try {
    if (refused !== undefined) is([withField.status, other.status], [refused, 200])
    else if (ignored) is([withField.status, seen(withField)], [200, seen(other)])
    else {
      is(seen(withField), sees)
      expect(other.status === 422 ? undefined : seen(other)).not.toEqual(seen(withField))
    }
    return undefined
  } catch {
    return JSON.stringify({
      field,
      seen: seen(withField),
      without: seen(other),
      not: sees ?? refused ?? 'ignored',
    })
  }
}

const PATHS = [
  ...['/agents/query', '/agents/agent-versions/query', '/agents/spans/query', '/agents/spans/stats'],
  ...['/agents/spans/custom-attrs/schema', '/agents/search', '/agents/traces/chat'],
  ...['/agents/conversations/chat', '/agents/conversations/spans', '/project/ttl_settings/read'],
  ...['/project/sensitive_data_settings', '/project/ingest_sampling_settings/read'],
  ...['/project/ttl_settings/update', '/files/resolve_url', '/dataset_sources/link'],
  ...['/dataset_sources/query', '/dataset_sources/source_datasets_query'],
  '/v2/{entity}/{project}/runtimes/{runtime_name}',
]

describe.each(PATHS)('%s', (path) => {
  it('does with each field what it says, and has no other', async () => {
    const route = routes.find((one) => one.path === path)!
    const { method = 'POST', cases } = route
    const fields = askedFields(description, method, path)
    const tried = new Set(cases.map(({ field }) => fields.get(field)))
    expect([...new Set(fields.values())].filter((name) => !tried.has(name))).toEqual(
      method === 'POST' ? ['project_id'] : [],
    )
    const faults = []
    for (const one of cases) faults.push(await faultOf(route, one))
    expect(faults.filter((fault) => fault !== undefined)).toEqual([])
  })
})

describe('both views', () => {
  it('say the same of a span', async () => {
    const { spans } = await api.ok('/agents/spans/query', { project_id: talk.project, include_costs: true })
    const calls = await api.calls(talk.project, {
      include_costs: true,
      sort_by: [{ field: 'started_at', direction: 'desc' }],
    })
    expect(
      calls.map((call) => [
        ...[call.id, call.trace_id, call.parent_id, call.started_at, call.ended_at],
        ...[dig(call, 'summary', 'weave', 'status') === 'error', call.exception ?? ''],
        ...[call.thread_id, ...usageOf(call), costOf(call)],
      ]),
    ).toEqual(
      (spans as Row[]).map((span) => [
        ...[span.span_id, span.trace_id, span.parent_span_id, span.started_at, span.ended_at],
        ...[span.status_code === 'ERROR', span.status_message],
        ...[span.conversation_id, span.input_tokens, span.output_tokens, span.total_cost_usd],
      ]),
    )
  })
})

/** The tokens of a call, over all models. */
function usageOf(call: Row): number[] {
  const all = Object.values((dig(call, 'summary', 'usage') ?? {}) as Record<string, Row>)
  return ['input_tokens', 'output_tokens'].map((name) =>
    all.reduce((sum, usage) => sum + Number(usage[name] ?? 0), 0),
  )
}

function costOf(call: Row): number | null {
  const all = Object.values((dig(call, 'summary', 'weave', 'costs') ?? {}) as Record<string, Row>)
  const parts = ['prompt_tokens_total_cost', 'completion_tokens_total_cost']
  return all.length === 0
    ? null
    : all.reduce((sum, cost) => sum + parts.reduce((part, name) => part + Number(cost[name] ?? 0), 0), 0)
}
