/**
 * The programs of docs/frameworks as they stand there, with the settings of their pages, as processes of their own: the
 * published instrumentations, a stand-in for the provider, and what becomes of their spans.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dig, type Row } from '../support/api.js'
import { freshProject } from '../support/ids.js'
import { runText } from '../support/program.js'
import { root } from '../support/root.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { Stub } from '../support/stub.js'

const folder = join(root, 'docs/frameworks')
const QUESTION = 'How is the weather in Paris?'
const ANSWER = 'It is sunny in Paris.'
/** The provider's usage by the names that an instrumentation has for it. */
const OLD_NAMES = { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 }
const NEW_NAMES = { input_tokens: 20, output_tokens: 7, total_tokens: 27 }
const CACHED = { cache_read_input_tokens: 4 }

/** What a call must be; inputs and output by a part of their text. */
interface Expected {
  op: string
  /** the op of its parent */
  parent?: string
  kind?: string
  inputs?: string
  output?: string
  /** of the model gpt-4o */
  usage?: Record<string, number> | undefined
  exception?: RegExp
}

const asked = { inputs: QUESTION }
const called = { output: 'get_weather' }
const said = { output: ANSWER }
const tool = { op: 'get_weather', kind: 'TOOL', inputs: 'Paris', output: 'sunny in Paris' }
/** What a model request of the Vercel AI SDK is, and the sum of two. */
const REQUEST = {
  ...{ op: 'ai.generatetext.dogenerate', parent: 'ai.generatetext', kind: 'llm' },
  usage: { ...NEW_NAMES, ...CACHED, reasoning_tokens: 0 },
}
const TWICE = { input_tokens: 40, output_tokens: 14, total_tokens: 54, cache_read_input_tokens: 8 }
const PAGES: Record<string, Expected[]> = {
  'openai.md': [
    { op: 'chatcompletion', kind: 'LLM', ...asked, ...said, usage: { ...OLD_NAMES, ...CACHED } },
    { op: 'chatcompletion', kind: 'LLM', inputs: 'fail', exception: /^BadRequestError: .*I will not/ },
  ],
  'opentelemetry-genai.md': [
    { op: 'answer' },
    {
      ...{ op: 'chat_gpt-4o', parent: 'answer', kind: 'llm', ...asked, ...said },
      usage: NEW_NAMES,
    },
  ],
  'openllmetry.md': [
    { op: 'answer' },
    {
      ...{ op: 'openai.chat', parent: 'answer', kind: 'llm', ...asked, ...said },
      usage: { ...NEW_NAMES, ...CACHED },
    },
  ],
  'langchain.md': [
    { op: 'chatopenai', kind: 'LLM', ...asked, ...called, usage: { ...OLD_NAMES, ...CACHED } },
    tool,
    { op: 'chatopenai', kind: 'LLM', inputs: 'sunny in Paris', ...said, usage: { ...OLD_NAMES, ...CACHED } },
  ],
  'pydantic-ai.md': [
    { op: 'answer' },
    { op: 'invoke_agent_forecaster', parent: 'answer', kind: 'agent', ...asked, ...said },
    {
      ...{ op: 'chat_gpt-4o', parent: 'invoke_agent_forecaster', kind: 'llm' },
      ...{ ...asked, ...called, usage: { ...NEW_NAMES, ...CACHED, total_cost: 0.000115 } },
    },
    {
      ...{ op: 'execute_tool_get_weather', parent: 'invoke_agent_forecaster', kind: 'tool' },
      ...{ inputs: 'Paris', output: 'sunny in Paris' },
    },
    {
      ...{ op: 'chat_gpt-4o', parent: 'invoke_agent_forecaster', kind: 'llm' },
      ...{ inputs: 'sunny in Paris', ...said, usage: { ...NEW_NAMES, ...CACHED, total_cost: 0.000115 } },
    },
  ],
  'vercel-ai-sdk.md': [
    { op: 'ai.generatetext', kind: 'llm', ...asked, ...said, usage: { ...TWICE, reasoning_tokens: 0 } },
    { ...REQUEST, ...asked, ...called },
    {
      ...{ op: 'ai.toolcall', parent: 'ai.generatetext', kind: 'tool' },
      ...{ inputs: 'Paris', output: '{"ai.toolCall.result":"sunny in Paris"}' },
    },
    { ...REQUEST, inputs: 'sunny in Paris', ...said },
    { op: 'ai.generatetext', kind: 'llm', inputs: 'fail', exception: /^I will not$/ },
    { ...REQUEST, inputs: 'fail', usage: undefined, exception: /^I will not$/ },
  ],
  'openai-js.md': [
    { op: 'openai_chat_completions', kind: 'LLM', ...asked, ...said, usage: { ...OLD_NAMES, ...CACHED } },
  ],
  'langfuse-js.md': [
    { op: 'answer', kind: 'span', ...asked, ...said },
    {
      ...{ op: 'openai.chat', parent: 'answer', kind: 'generation', ...asked, ...said },
      // Langfuse's input is without what came from the cache.
      usage: { ...NEW_NAMES, ...CACHED, input_tokens: 16 },
    },
    {
      ...{ op: 'openai.chat', parent: 'answer', kind: 'generation', inputs: 'fail' },
      ...{ usage: { input_cost: 0, output_cost: 0, total_cost: 0 }, exception: /^Error: 400 I will not$/ },
    },
  ],
  'openai-agents.md': [
    { op: 'agent_workflow', kind: 'AGENT' },
    { op: 'agent_workflow', parent: 'agent_workflow', kind: 'CHAIN' },
    { op: 'forecaster', parent: 'agent_workflow', kind: 'AGENT' },
    { op: 'turn', parent: 'forecaster', kind: 'CHAIN' },
    { op: 'generation', parent: 'turn', kind: 'LLM', ...asked, ...called, usage: OLD_NAMES },
    { ...tool, parent: 'turn' },
    { op: 'turn', parent: 'forecaster', kind: 'CHAIN' },
    { op: 'generation', parent: 'turn', kind: 'LLM', inputs: 'sunny in Paris', ...said, usage: OLD_NAMES },
  ],
}

type Program = [whole: string, language: keyof typeof PLACES, program: string]

/** Where the packages of the programs are, as `runText` has it. */
const PLACES = { python: '.venv/instrumentations', js: 'js-frameworks' } as const

let server: SharedServer
let provider: Stub
beforeAll(async () => {
  ;[server, provider] = await Promise.all([sharedServer(), Stub.start('tool-provider')])
})
afterAll(() => provider?.stop())

/** The page's program with the page's settings, for a server and a project of this test. */
async function run(page: string, project: string): Promise<void> {
  const text = readFileSync(join(folder, page), 'utf8')
    .replaceAll('http://127.0.0.1:8080', server.url)
    .replaceAll('$WANDB_API_KEY', server.key)
    .replaceAll('me/first', project)
  const [, language, program] = /^```(python|js)\n([\s\S]*?)^```$/m.exec(text) as unknown as Program
  const settings = [...text.matchAll(/^export (\w+)="?([^"\n]*)"?$/gm)].map(([, name, value]) => [
    name,
    value,
  ])
  const env = {
    OPENAI_BASE_URL: `${provider.url}/v1`,
    OPENAI_API_KEY: 'sk-none',
    ...Object.fromEntries(settings),
  }
  await runText(server, language, program, env, 120, PLACES[language])
}

it('every page is run', () => {
  expect(
    readdirSync(folder)
      .filter((name) => name !== 'README.md')
      .sort(),
  ).toEqual(Object.keys(PAGES).sort())
})

describe.each(Object.entries(PAGES))('%s', (page, expected) => {
  it('its calls are what the program did', async () => {
    const project = freshProject()
    await run(page, project)
    const calls = await server.api.calls(project)
    const opOf = (call: Row | undefined) => /op\/([^:]+):/.exec(String(call?.op_name))?.[1]
    expect(calls.map(opOf).sort()).toEqual(expected.map(({ op }) => op).sort())
    // JavaScript's spans begin on a millisecond: those of one have no order, but those of one name follow each other.
    const left = [...calls]
    const inOrder = expected.flatMap(({ op }) =>
      left.splice(
        left.findIndex((call) => opOf(call) === op),
        1,
      ),
    )
    const text = (value: unknown) => JSON.stringify(value).replaceAll('\\"', '"')
    for (const [i, call] of inOrder.entries()) {
      const wanted = expected[i]!
      const parent = calls.find(({ id, trace_id }) => id === call.parent_id && trace_id === call.trace_id)
      expect(opOf(parent)).toBe(wanted.parent)
      expect(dig(call, 'attributes', 'kind')).toBe(wanted.kind)
      expect(call.thread_id).toBe('session-1')
      expect(dig(call, 'attributes', 'user_id')).toBe('ann')
      expect(text(call.inputs)).toContain(wanted.inputs ?? '')
      expect(text(call.output)).toContain(wanted.output ?? '')
      expect(dig(call, 'summary', 'usage', 'gpt-4o')).toEqual(wanted.usage)
      expect(dig(call, 'attributes', 'model')).toBe(
        wanted.usage ? 'gpt-4o' : dig(call, 'attributes', 'model'),
      )
      expect(call.exception ?? '').toMatch(wanted.exception ?? /^$/)
    }
  })
})
