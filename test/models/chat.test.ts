/**
 * Chat completions by a real model node, as the published SDKs see them, and what becomes of callers when a process
 * behind them dies.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type ChatEndpoint, capital, PARIS } from '../support/chat-server.js'
import { isAlive, signal } from '../support/processes.js'
import { runNode, runPython } from '../support/program.js'
import { sharedChat } from '../support/shared-server.js'
import { until } from '../support/until.js'

const long = {
  messages: [{ role: 'user', content: 'Tell me more.' }],
  stream: true,
  ignore_eos: true,
  max_tokens: 1500,
}

describe('chat', () => {
  let chat: ChatEndpoint
  beforeAll(async () => {
    chat = await sharedChat()
  })

  it('works with the Python SDK, unchanged', async () => {
    const found = await runPython<Record<string, never>>(chat.server, 'openai_chat', chat.clientEnv)
    expect(found).toMatchObject({
      models: ['demo', 'demo-embedding'],
      model: true,
      plain: { content: PARIS, finish: 'stop', usage: { completion_tokens: 8 } },
      streamed: { content: PARIS, ids: 1, finish: 'stop', usage: { completion_tokens: 8 } },
      several: [0, 1, 2],
      logprobs: { tokens: 4, completion: 4, top: [2, 2, 2, 2], negative: true },
      tools: { names: ['look_up'], finish: 'tool_calls' },
      aborted: 'assistant',
      refused: {
        unknown: expect.stringContaining('This Heddle has no model'),
        model: { code: 404, message: expect.stringContaining('artifact:///me/sdk/nobody') },
        empty: expect.stringContaining('message'),
      },
    })
    const { tools, structured } = found as unknown as Found
    expect(['city', 'river']).toContain(tools.arguments[0]?.kind)
    expect(['red', 'green']).toContain(structured.json.colour)
    expect(['yes', 'no']).toContain(structured.choice)
    await until('the work of who left to be ended', async () => (await running()) === 0)
  })

  it('works with the JavaScript SDK, unchanged', async () => {
    const found = await runNode<Record<string, never>>(chat.server, 'openai-chat', chat.clientEnv)
    expect(found).toMatchObject({
      model: { id: 'demo', object: 'model' },
      plain: { content: PARIS },
      streamed: { content: PARIS, usage: { completion_tokens: 8 } },
      several: [0, 1, 2],
      logprobs: { tokens: 4, completion: 4 },
      tools: [['look_up', { kind: expect.stringMatching(/^(city|river)$/) }]],
      structured: { colour: expect.stringMatching(/^(red|green)$/) },
      aborted: 'assistant',
      refused: { status: 404 },
      unknown: {
        status: 404,
        param: 'model',
        message: expect.stringContaining('artifact:///me/sdk/nobody'),
      },
    })
  })

  it('is logged where the caller asks for it', async () => {
    await until('the calls of the SDKs to be there', async () => (await chat.server.api.count('me/sdk')) > 0)
    const [call] = await chat.server.api.calls('me/sdk', {
      query: { $expr: { $eq: [{ $getField: 'inputs.max_tokens' }, { $literal: 24 }] } },
      limit: 1,
    })
    expect(call).toMatchObject({
      op_name: expect.stringContaining('chat.completions'),
      inputs: { model: 'demo', max_tokens: 24 },
      output: { choices: [{ message: { content: PARIS } }] },
      summary: {
        usage: { demo: { prompt_tokens: 15, completion_tokens: 8, requests: 1 } },
        time_to_first_token_ms: expect.any(Number),
      },
    })
  })

  it('is logged where the key says, unless the caller says otherwise', async () => {
    const { server } = chat
    const grant = ['--grant', 'me:write']
    const key = await server.cli('keys', 'create', '--user', 'ann', ...grant, '--log-chat-to', 'me/kept')
    const headers = { authorization: `Bearer ${key.trim()}` }
    await until('the key to be known', async () => (await chat.post(capital, { headers })).status === 200)
    await chat.post(capital, { headers: { ...headers, 'x-heddle-project': 'none' } })
    await chat.post({ ...capital, user: 'the last' }, { headers })
    const calls = await until('the last call to be there', async () => {
      const found = await server.api.calls('me/kept', {})
      return found.some(({ inputs }) => (inputs as { user?: string }).user === 'the last') && found
    })
    expect(calls).toHaveLength(2)
  })

  it('shows its node in the listings of the tracing interface', async () => {
    const { data } = JSON.parse((await chat.server.api.get('/inference/router/aggregator/models')).text)
    expect(data).toMatchObject([{ id: 'demo', nodes: 1, adapters: true }])
    const check = await fetch(`${chat.url}/v1/system-check`, {
      headers: chat.authorization,
    })
    expect(await check.json()).toMatchObject({ status: 'ok' })
  })

  it('asks for a key', async () => {
    for (const path of ['/v1/models', '/v1/health', '/v1/system-check'])
      expect((await fetch(chat.url + path)).status).toBe(401)
    const answer = await chat.post(capital, { headers: {} })
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: { type: 'AuthenticationError' } })
  })

  it.each([
    ['the worker', 'inference-worker'],
    ['Redis', 'redis-server'],
    ['the node', 'heddle_model_server serve'],
  ])(
    'when %s is killed in the middle, every caller gets an end or an error, and what comes next works',
    async (_, name) => {
      // Who hears nothing at all within these seconds fails.
      const init = { headers: chat.authorization, signal: AbortSignal.timeout(20_000) }
      const streams = await Promise.all(Array.from({ length: 4 }, () => chat.post(long, init)))
      const pid = chat.processOf(name)
      const ends = streams.map((stream) => stream.text())
      signal(pid, 'SIGKILL')
      for (const text of await Promise.all(ends)) expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
      await until('it to be gone', () => !isAlive(pid))
      await chat.served()
      const answer = (await (await chat.post({ ...capital, temperature: 0 })).json()) as Answer
      expect(answer.choices[0]?.message.content).toBe(PARIS)
    },
  )

  /** Requests that run on the node, as it says. */
  async function running(): Promise<number> {
    const { data } = JSON.parse((await chat.server.api.get('/inference/analysis/analyzer/models')).text)
    return data[0]?.requests_running ?? -1
  }
})

interface Found {
  tools: { arguments: { kind: string }[] }
  structured: { json: { colour: string }; choice: string }
}

interface Answer {
  choices: { message: { content: string } }[]
}
