import { describe, expect, it } from 'vitest'
import { messagesOf } from './messages.js'

const user = { role: 'user', parts: [{ kind: 'text', text: 'hi' }], isOutput: false }
const said = (text: string) => ({ role: 'assistant', parts: [{ kind: 'text', text }], isOutput: true })

describe('messages of', () => {
  it.each([
    [
      'chat completions',
      { messages: [{ role: 'user', content: 'hi' }] },
      { choices: [{ message: { role: 'assistant', content: 'ho' } }] },
    ],
    [
      'responses',
      { input: 'hi' },
      { output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ho' }] }] },
    ],
    [
      'Anthropic',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] },
      { role: 'assistant', content: [{ type: 'text', text: 'ho' }] },
    ],
    [
      'Gemini',
      { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      { candidates: [{ content: { role: 'model', parts: [{ text: 'ho' }] } }] },
    ],
    [
      'OpenInference, of chat completions',
      { 'input.value': { model: 'm', messages: [{ role: 'user', content: 'hi' }] } },
      { 'output.value': { choices: [{ message: { role: 'assistant', content: 'ho' } }] } },
    ],
    [
      'OpenInference, a list',
      { 'input.value': [{ role: 'user', content: 'hi' }] },
      { 'output.value': [{ role: 'assistant', content: 'ho', tool_calls: null }] },
    ],
    [
      'OpenInference, of LangChain',
      { 'llm.input_messages': [{ message: { role: 'user', content: 'hi' } }] },
      { 'llm.output_messages': [{ message: { role: 'assistant', content: 'ho' } }] },
    ],
    [
      'OpenTelemetry',
      { 'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }] },
      { 'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'ho' }] }] },
    ],
    ['Vercel, a prompt', { 'ai.prompt': { prompt: 'hi' } }, { 'ai.response': { text: 'ho' } }],
    [
      'Vercel, messages',
      { 'ai.prompt': { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] } },
      { 'ai.response': { text: 'ho', finishReason: 'stop' } },
    ],
    [
      'Langfuse',
      { 'langfuse.observation.input': { messages: [{ role: 'user', content: 'hi' }] } },
      { 'langfuse.observation.output': { role: 'assistant', content: 'ho' } },
    ],
    [
      'Pydantic AI',
      { 'pydantic_ai.all_messages': [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }] },
      { final_result: 'ho' },
    ],
    ['a plain text', { messages: [{ role: 'user', content: 'hi' }] }, 'ho'],
  ])('%s', (_, inputs, output) => expect(messagesOf({ inputs, output })).toEqual([user, said('ho')]))

  it('anything else: none', () => {
    for (const inputs of [
      {},
      { question: 'hi' },
      { input: { a: 1 } },
      { 'input.value': 'hi' },
      { messages: 'hi' },
    ])
      expect(messagesOf({ inputs, output: 1 })).toEqual([])
  })
})

it('results of tools stand with their calls', () => {
  const call = { id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }
  const inputs = {
    messages: [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: '[2]' },
    ],
  }
  expect(messagesOf({ inputs, output: null })).toEqual([
    {
      role: 'assistant',
      isOutput: false,
      parts: [{ kind: 'tool-call', id: 'c1', name: 'f', input: { a: 1 }, result: [2] }],
    },
  ])
  const done = [{ kind: 'tool-call', id: 'c1', name: 'f', input: { a: 1 }, result: 'ok' }]
  const shapes = {
    OpenTelemetry: {
      'gen_ai.input.messages': [
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'f', arguments: '{"a":1}' }] },
        { role: 'user', parts: [{ type: 'tool_call_response', id: 'c1', result: 'ok' }] },
      ],
    },
    Vercel: {
      'ai.prompt': {
        messages: [
          {
            role: 'assistant',
            content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: { a: 1 } }],
          },
          {
            role: 'tool',
            content: [{ type: 'tool-result', toolCallId: 'c1', output: { type: 'text', value: 'ok' } }],
          },
        ],
      },
    },
    OpenInference: {
      'llm.input_messages': [
        {
          message: {
            role: 'assistant',
            tool_calls: [{ tool_call: { id: 'c1', function: { name: 'f', arguments: { a: 1 } } } }],
          },
        },
        { message: { role: 'tool', content: 'ok', tool_call_id: 'c1' } },
      ],
    },
  }
  for (const [name, inputs] of Object.entries(shapes))
    expect(messagesOf({ inputs, output: null }), name).toEqual([
      { role: 'assistant', isOutput: false, parts: done },
    ])
  const answered = { 'ai.response': { toolCalls: [{ toolCallId: 'c1', toolName: 'f', input: '{"a":1}' }] } }
  expect(messagesOf({ inputs: { 'ai.prompt': { prompt: 'hi' } }, output: answered })[1]?.parts).toMatchObject(
    [{ kind: 'tool-call', name: 'f', input: { a: 1 } }],
  )
  const anthropic = {
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }] },
    ],
  }
  expect(messagesOf({ inputs: anthropic, output: null })).toEqual([
    {
      role: 'assistant',
      isOutput: false,
      parts: [{ kind: 'tool-call', id: 'c1', name: 'f', input: { a: 1 }, result: 'ok' }],
    },
  ])
})

it('reasoning and images are parts of their own', () => {
  const content = [
    { type: 'thinking', thinking: 'hm' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
  ]
  expect(messagesOf({ inputs: { messages: [{ role: 'user', content }] }, output: null })[0]?.parts).toEqual([
    { kind: 'reasoning', text: 'hm' },
    { kind: 'image', url: 'data:image/png;base64,AA' },
  ])
})

it('a result without its call stands by itself, with several calls none is lost', () => {
  const input = [
    { type: 'function_call_output', call_id: 'before', output: '{"a":1}' },
    { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'ok' },
  ]
  expect(messagesOf({ inputs: { input }, output: null }).map(({ role, parts }) => [role, parts])).toEqual([
    ['tool', [{ kind: 'tool-result', id: 'before', result: { a: 1 } }]],
    ['user', [{ kind: 'tool-call', id: 'c1', name: 'f', input: {}, result: 'ok' }]],
  ])
})

it('refs give way to what they point at, wherever a text or a list can be', () => {
  const ref = (path: string) => `weave:///acme/one/object/bot:abc/attr/${path}`
  const refs = new Map<string, unknown>([
    [ref('system'), 'Be kind.'],
    [ref('list'), [{ role: 'user', content: ref('prompt') }]],
    [ref('prompt'), { _class_name: 'StringPrompt', content: 'Hi' }],
  ])
  const inputs = { system: ref('system'), messages: ref('list') }
  expect(messagesOf({ inputs, output: ref('gone') } as never, refs).map(({ parts }) => parts)).toEqual([
    [{ kind: 'text', text: 'Be kind.', ref: ref('system') }],
    [{ kind: 'text', text: 'Hi', ref: ref('prompt') }],
    [{ kind: 'text', text: ref('gone') }],
  ])
})
