/**
 * Completions through the tracing interface: by the model that is served here, and by a provider, which is this very
 * service under another name.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { type ChatEndpoint, capital, PARIS } from '../support/chat-server.js'
import { sharedChat } from '../support/shared-server.js'

const project = 'me/completions'
let chat: ChatEndpoint

beforeAll(async () => {
  chat = await sharedChat()
  const { server } = chat
  await server.cliWith(`${server.key}\n`, 'secrets', 'set', project, 'OWN_KEY', '--for', chat.url)
  const val = { name: 'mill', base_url: `${chat.url}/v1`, api_key_name: 'OWN_KEY' }
  const object = (object_id: string, more: object) => ({
    obj: { project_id: project, object_id, ...more },
  })
  await server.api.ok('/obj/create', object('mill', { builtin_object_class: 'Provider', val }))
  const messages = [{ role: 'user', content: 'What is the capital of {place}?' }]
  await server.api.ok('/obj/create', object('capitals', { val: { _type: 'MessagesPrompt', messages } }))
})

const body = (inputs: object, more: object = {}) => ({
  project_id: project,
  inputs: { temperature: 0, ...capital, ...inputs },
  ...more,
})
const call = async (id: unknown): Promise<Row> =>
  (await chat.server.api.ok('/call/read', { project_id: project, id })).call as Row

async function stream(inputs: object, more: object = {}): Promise<Row[]> {
  const answer = await chat.server.api.post('/completions/create_stream', body(inputs, more))
  expect(answer.status).toBe(200)
  return answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

const said = (lines: Row[]) =>
  lines
    .map(
      ({ choices }) => (choices as { delta?: { content?: string } }[] | undefined)?.[0]?.delta?.content ?? '',
    )
    .join('')

describe.each([
  ['a model that is served here', 'demo'],
  ['a model of a provider', 'custom::mill::demo'],
])('%s', (_, model) => {
  it('answers in one piece, and is tracked under the trace that is named', async () => {
    const more = { trace_id: 'a-trace', parent_id: 'a-parent', conversation_id: 'talk' }
    const made = await chat.server.api.ok('/completions/create', body({ model, max_tokens: 24 }, more))
    expect(made).toMatchObject({
      response: { object: 'chat.completion', choices: [{ message: { content: PARIS } }] },
      trace_id: 'a-trace',
      conversation_id: 'talk',
    })
    expect(await call(made.weave_call_id)).toMatchObject({
      op_name: 'weave.completions_create',
      trace_id: 'a-trace',
      parent_id: 'a-parent',
      inputs: { model, max_tokens: 24, ...capital },
      output: { choices: [{ message: { content: PARIS } }] },
      summary: { usage: { demo: { prompt_tokens: 15, completion_tokens: 8, requests: 1 } } },
      exception: null,
    })
  })

  it('answers as a stream of lines, and the call has the whole answer', async () => {
    const [first, ...chunks] = await stream({ model })
    expect(said(chunks)).toBe(PARIS)
    expect(await call((first as { _meta: Row })._meta.weave_call_id)).toMatchObject({
      output: { choices: [{ message: { role: 'assistant', content: PARIS }, finish_reason: 'stop' }] },
      summary: { usage: { demo: { completion_tokens: 8 } } },
      exception: null,
    })
  })

  it('is not tracked for who does not want it', async () => {
    const more = { track_llm_call: false }
    const before = await chat.server.api.count(project)
    expect(await chat.server.api.ok('/completions/create', body({ model }, more))).toMatchObject({
      weave_call_id: null,
      trace_id: null,
    })
    expect(said(await stream({ model }, more))).toBe(PARIS)
    expect(await chat.server.api.count(project)).toBe(before)
  })

  it('says what is wrong with a request, in the answer and in the call', async () => {
    const inputs = { model, max_tokens: 24, logit_bias: { 99999: 1 } }
    const made = await chat.server.api.ok('/completions/create', body(inputs))
    expect(made.response).toMatchObject({
      error: { status: 400, message: expect.stringContaining('logit_bias') },
    })
    expect(await call(made.weave_call_id)).toMatchObject({ exception: expect.stringContaining('logit_bias') })
    const [, error] = await stream(inputs)
    expect(error).toMatchObject({ error: { status: 400 } })
  })

  it('is ended when its time is over', async () => {
    const inputs = { model, timeout: 0.3, ignore_eos: true, max_tokens: 1900 }
    const made = await chat.server.api.ok('/completions/create', body(inputs))
    expect(made.response).toMatchObject({ error: { code: 'PROVIDER_TIMEOUT' } })
  })
})

describe('a prompt', () => {
  it('that is an object comes first, with its places filled', async () => {
    const inputs = {
      model: 'demo',
      messages: [],
      prompt: `weave:///${project}/object/capitals:latest`,
      template_vars: { place: 'France' },
    }
    const made = await chat.server.api.ok('/completions/create', body(inputs))
    expect(made.response).toMatchObject({ choices: [{ message: { content: PARIS } }] })
  })

  it('that is none, or of somebody else, is refused', async () => {
    for (const prompt of ['weave:///me/else/object/capitals:latest', 'hello']) {
      const answer = await chat.server.api.post('/completions/create', body({ model: 'demo', prompt }))
      expect(answer.status).toBe(400)
    }
  })
})

it('a model that nobody knows is refused, and nothing is written', async () => {
  const before = await chat.server.api.count(project)
  for (const model of ['nobody', 'custom::nobody::x', 'artifact:///me/p/nobody']) {
    const answer = await chat.server.api.post('/completions/create', body({ model }))
    expect(answer.status).toBe(404)
  }
  expect(await chat.server.api.count(project)).toBe(before)
})
