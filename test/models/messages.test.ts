/** Messages by a real model node, as the published SDKs see them, and what becomes of a stream when its worker dies. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type ChatEndpoint, PARIS } from '../support/chat-server.js'
import { ALL_FAILED, begunStreams } from '../support/interface-streams.js'
import { isAlive, signal } from '../support/processes.js'
import { runNode, runPython, runText } from '../support/program.js'
import { sharedChat } from '../support/shared-server.js'
import { until } from '../support/until.js'

let chat: ChatEndpoint
let env: Record<string, string>
beforeAll(async () => {
  chat = await sharedChat()
  env = { ANTHROPIC_BASE_URL: chat.url, ANTHROPIC_API_KEY: chat.server.key }
})

const paris = {
  type: 'message',
  role: 'assistant',
  model: 'demo',
  content: [{ type: 'text', text: PARIS }],
  stop_reason: 'end_turn',
  usage: { output_tokens: 8 },
}

const PROVIDERS = `
import { createAnthropic } from '@ai-sdk/anthropic'
import { ChatAnthropic } from '@langchain/anthropic'
import { generateText, jsonSchema, streamText, tool } from 'ai'

const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: apiKey } = process.env
const parameters = {
  type: 'object',
  properties: { kind: { type: 'string', enum: ['city', 'river'] } },
  required: ['kind'],
  additionalProperties: false,
}
const prompt = 'What is the capital of France?'

const model = createAnthropic({ baseURL: url + '/v1', apiKey })('demo')
const vercel = await generateText({ model, prompt, temperature: 0, maxOutputTokens: 24 })
const stream = streamText({ model, prompt, temperature: 0, maxOutputTokens: 24 })
const tools = { look_up: tool({ inputSchema: jsonSchema(parameters) }) }
const called = await generateText({
  ...{ model, prompt, tools, toolChoice: { type: 'tool', toolName: 'look_up' }, maxOutputTokens: 200 },
})

const chat = new ChatAnthropic({ model: 'demo', apiKey, anthropicApiUrl: url, temperature: 0, maxTokens: 200 })
const pieces = []
for await (const { text } of await chat.stream(prompt)) pieces.push(text)
const bound = chat.bindTools([{ name: 'look_up', input_schema: parameters }], { tool_choice: 'look_up' })

console.log(JSON.stringify({
  vercel: { text: vercel.text, reason: vercel.finishReason, tokens: vercel.usage.outputTokens },
  vercelStream: await stream.text,
  vercelCalls: called.toolCalls.map(({ toolName, input }) => ({ toolName, input })),
  langchain: (await chat.invoke(prompt)).text,
  langchainStream: pieces.join(''),
  langchainCalls: (await bound.invoke(prompt)).tool_calls.map(({ name, args }) => ({ name, args })),
}))
`

describe('messages', () => {
  it('work with the Python SDK, unchanged', async () => {
    const found = await runPython(chat.server, 'anthropic_messages', env, 120, '.venv/instrumentations')
    expect(found).toMatchObject({
      plain: paris,
      streamed: { text: PARIS, message: paris },
      counted: 15,
      parsed: expect.stringMatching(/^(red|green)$/),
      ids: { prompt: 15, answer: 8, logprobs: 8 },
      stopped: { text: 'The capital of France', reason: 'stop_sequence', by: ' is' },
      begun: ' France is Paris.',
      tools: {
        name: 'look_up',
        kind: expect.stringMatching(/^(city|river)$/),
        stop: 'tool_use',
        after: 'max_tokens',
      },
      runner: { answers: 2, asked: 2 },
      models: ['demo'],
      model: { type: 'model', id: 'demo', display_name: 'demo', max_input_tokens: expect.any(Number) },
      refused: {
        model: { status: 404, type: 'not_found_error', code: 'UNKNOWN_MODEL' },
        image: { status: 400, type: 'invalid_request_error', code: 'NO_IMAGES' },
        tool: {
          status: 400,
          code: 'UNSUPPORTED_TOOL',
          message: expect.stringContaining('web_search_20250305'),
        },
        long: {
          status: 400,
          code: 'PROMPT_TOO_LONG',
          message: expect.stringMatching(/^prompt is too long: \d+ tokens > \d+ maximum$/),
        },
      },
    })
  })

  it('work with the JavaScript SDK, unchanged', async () => {
    const kind = expect.stringMatching(/^(city|river)$/)
    expect(await runNode(chat.server, 'anthropic-messages', env)).toMatchObject({
      plain: paris,
      streamed: { said: PARIS, message: paris },
      counted: 15,
      tools: { content: [{ type: 'tool_use', name: 'look_up', input: { kind } }], stop_reason: 'tool_use' },
      structured: { kind },
      aborted: 'message_start',
      models: ['demo'],
      refused: { status: 404, type: 'not_found_error' },
    })
  })

  it('work with the providers of Vercel’s AI SDK and LangChain, unchanged', async () => {
    const printed = await runText(chat.server, 'js', PROVIDERS, env, 120, 'js-frameworks')
    const kind = expect.stringMatching(/^(city|river)$/)
    expect(JSON.parse(printed)).toEqual({
      vercel: { text: PARIS, reason: 'stop', tokens: 8 },
      vercelStream: PARIS,
      vercelCalls: [{ toolName: 'look_up', input: { kind } }],
      langchain: PARIS,
      langchainStream: PARIS,
      langchainCalls: [{ name: 'look_up', args: { kind } }],
    })
  })

  it('are logged as chat completions are, with the name of their interface', async () => {
    const messages = [{ role: 'user', content: 'What is the capital of France?' }]
    const body = { model: 'demo', messages, temperature: 0 }
    // A key in a header of its own is known to the tracing interface, too.
    const own = { 'x-heddle-project': 'me/logged-messages', 'x-api-key': chat.server.key }
    const init = { method: 'POST', headers: own, body: JSON.stringify({ ...body, max_tokens: 8 }) }
    expect((await fetch(`${chat.url}/v1/messages`, init)).status).toBe(200)
    await chat.post({ ...body, max_completion_tokens: 8 }, { headers: { ...chat.authorization, ...own } })
    const calls = await until('both calls', async () => {
      const found = await chat.server.api.calls('me/logged-messages', { sort_by: [{ field: 'started_at' }] })
      return found.length === 2 && found
    })
    const [byMessages, byChat] = calls.map(({ op_name, inputs, output, attributes }) => {
      const { choices, usage } = output as Record<string, unknown>
      return {
        op_name,
        inputs,
        choices,
        usage: { ...(usage as object), prompt_tokens_details: null },
        attributes,
      }
    })
    expect(byMessages?.attributes).toMatchObject({ interface: 'messages' })
    expect({ ...byMessages, attributes: null }).toEqual({ ...byChat, attributes: null })
  })

  it('whose worker is killed in the middle end with the error event of their interface, as all do', async () => {
    const pid = chat.processOf('inference-worker')
    const ends = await begunStreams(chat.url, {
      ...{ headers: chat.authorization, said: /data: .*data: /s },
      more: { model: 'demo', ignore_eos: true },
    })
    signal(pid, 'SIGKILL')
    expect(await ends()).toEqual(ALL_FAILED)
    await until('it to be gone', () => !isAlive(pid))
    await chat.served()
  })
})
