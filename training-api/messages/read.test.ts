import { describe, expect, it } from 'vitest'
import { generateRequestOf } from '../../domain/chat/generate.js'
import { chatRequest } from '../../domain/chat/request.js'
import { HeddleError } from '../../platform/errors/error.js'
import { sealReasoning } from '../chat/reasoning-token.js'
import { messageProblem } from './problem.js'
import { readMessage } from './read.js'

const SECRET = 'the secret'
const hi = [{ role: 'user', content: 'hi' }]
const asked = (body: object | string, counts = false) =>
  readMessage({
    bytes: Buffer.from(
      typeof body === 'string'
        ? body
        : JSON.stringify({ model: 'm', ...(!counts && { max_tokens: 9 }), messages: hi, ...body }),
    ),
    counts,
    secrets: [SECRET],
  })
const chatOf = (body: object | string) => JSON.parse(Buffer.from(asked(body).chat).toString('utf8')) as Chat
interface Chat extends Record<string, unknown> {
  messages: Record<string, unknown>[]
}
const messagesOf = (messages: object[], more: object = {}) => chatOf({ messages, ...more }).messages
const text = (said: string, more: object = {}) => ({ type: 'text', text: said, ...more })

describe('a conversation', () => {
  const call = { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 'a' } }
  const calls = [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"a"}' } }]
  const reminder = (said: string) => `<system-reminder>\n${said}\n</system-reminder>`
  const user = (content: unknown) => ({ role: 'user', content })
  const parts = (...texts: string[]) => texts.map((one) => text(one))
  it.each<[string, object[], object[]]>([
    ['texts', hi, hi],
    ['a block is a text', [user([text('hi', { cache_control: { type: 'ephemeral' } })])], hi],
    ['blocks stay apart', [user([text('a'), text('b')])], [user(parts('a', 'b'))]],
    ['messages of one turn are joined', [user('a'), user([text('b')])], [user(parts('a', 'b'))]],
    [
      'a call, and its result before what else is said',
      [...hi, { role: 'assistant', content: [text('so'), call] }, user([text('on'), result('found')])],
      [...hi, { role: 'assistant', content: 'so', tool_calls: calls }, tool('found'), user('on')],
    ],
    [
      'a call without a word; blocks of a result',
      [...hi, { role: 'assistant', content: [call] }, user([result([text('a'), text('b')])])],
      [...hi, { role: 'assistant', content: null, tool_calls: calls }, tool('a\nb')],
    ],
    [
      'a result that is an error, or nothing',
      [...hi, { role: 'assistant', content: [call] }, user([result('none', true), result(undefined)])],
      [...hi, { role: 'assistant', content: null, tool_calls: calls }, tool('Error: none'), tool('')],
    ],
    [
      'a later system message',
      [...hi, { role: 'system', content: 'be brief' }],
      [user(parts('hi', reminder('be brief')))],
    ],
    [
      'a system message in front',
      [{ role: 'system', content: 'be brief' }, ...hi],
      [{ role: 'system', content: 'be brief' }, ...hi],
    ],
    [
      'a document and a search result are their text',
      [
        user([
          { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'D' } },
          { type: 'search_result', title: 'S', source: 'https://s', content: [text('found')] },
        ]),
      ],
      [user(parts('T\nD', 'S\nhttps://s\nfound'))],
    ],
  ])('%s', (_, messages, chat) => expect(messagesOf(messages)).toEqual(chat))

  function result(content: unknown, isError = false) {
    return { type: 'tool_result', tool_use_id: 'call_1', content, ...(isError && { is_error: true }) }
  }
  function tool(content: string) {
    return { role: 'tool', content, tool_call_id: 'call_1' }
  }

  it('begins with the system blocks, but not with a client’s accounting', () => {
    const system = [text('x-anthropic-billing-header: cc_version=1;'), text('be brief'), text('be kind')]
    expect(messagesOf(hi, { system })[0]).toEqual({ role: 'system', content: parts('be brief', 'be kind') })
    expect(messagesOf(hi, { system: 'be brief' })[0]).toEqual({ role: 'system', content: 'be brief' })
  })

  it('goes on from what the model is to have said', () => {
    const begun = [...hi, { role: 'assistant', content: 'I' }]
    expect(chatOf({ messages: begun })).toMatchObject({
      continue_final_message: true,
      add_generation_prompt: false,
    })
  })

  it('keeps every digit of a tool’s input, and of a seed', () => {
    const body = `{"model":"m","max_tokens":1,"seed":9007199254740993,"messages":[{"role":"user","content":"hi"},
      {"role":"assistant","content":[{"type":"text","text":"a"},
      {"type":"tool_use","id":"c","name":"f","input":{"n":12345678901234567890}}]}]}`
    expect(chatOf(body).messages[1]).toMatchObject({
      tool_calls: [{ function: { arguments: '{"n":12345678901234567890}' } }],
    })
    expect(asked(body).read.seed).toBe('9007199254740993')
  })

  it('has the thinking that was signed here; other thinking, and tools a provider ran, are left out', () => {
    const thought = (signature: string) => ({ type: 'thinking', thinking: '', signature })
    const blocks = [thought(sealReasoning('so', SECRET)), thought(sealReasoning('no', 'another')), text('a')]
    const ran = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
    const { chat, leftOut } = asked({ messages: [...hi, { role: 'assistant', content: [...blocks, ran] }] })
    expect((JSON.parse(String(Buffer.from(chat))) as Chat).messages[1]).toEqual({
      ...{ role: 'assistant', content: 'a', reasoning: 'so' },
    })
    expect(leftOut).toEqual(['thinking', 'server_tool_use'])
  })
})

describe('tools', () => {
  const input_schema = { type: 'object', properties: { at: { type: 'string' } } }
  const tools = [
    { name: 'look', description: 'looks', input_schema, cache_control: { type: 'ephemeral' } },
    { name: 'later', input_schema, defer_loading: true },
  ]
  const names = (body: object) => {
    const { tools: found = [] } = chatOf(body) as { tools?: { function: { name: string } }[] }
    return found.map(({ function: { name } }) => name)
  }

  it('are functions', () => {
    expect(chatOf({ tools })).toMatchObject({
      tools: [
        { type: 'function', function: { name: 'look', description: 'looks', parameters: input_schema } },
      ],
      tool_choice: 'auto',
    })
  })

  it.each([
    [{ type: 'any' }, 'required'],
    [{ type: 'none' }, 'none'],
    [
      { type: 'tool', name: 'look' },
      { type: 'function', function: { name: 'look' } },
    ],
  ])('are chosen by %j', (choice, chat) =>
    expect(chatOf({ tools, tool_choice: choice }).tool_choice).toEqual(chat),
  )

  it('are called one at a time on request', () => {
    const tool_choice = { type: 'auto', disable_parallel_tool_use: true }
    expect(chatOf({ tools, tool_choice })).toMatchObject({ tool_choice: 'auto', parallel_tool_calls: false })
  })

  it('that come later are shown when they are named, until they are taken away', () => {
    const found = {
      type: 'tool_result',
      tool_use_id: 'c',
      content: [{ type: 'tool_reference', tool_name: 'later' }],
    }
    const named = [...hi, { role: 'user', content: [found] }]
    const tool = { type: 'tool_reference', name: 'look' }
    const gone = [...named, { role: 'system', content: [{ type: 'tool_removal', tool }] }]
    const definition = { name: 'new', input_schema }
    const added = { type: 'tool_addition', tool: { type: 'tool_definition', definition } }
    expect(names({ tools })).toEqual(['look'])
    expect(names({ tools, messages: named })).toEqual(['look', 'later'])
    expect(names({ tools, messages: gone })).toEqual(['later'])
    expect(names({ tools, messages: [...hi, { role: 'system', content: [added] }] })).toEqual(['look', 'new'])
  })
})

describe('other fields', () => {
  it.each<[object, object]>([
    [{ stop_sequences: ['x'] }, { stop: ['x'] }],
    [{ stop_sequences: [] }, {}],
    [{ metadata: { user_id: 'u' } }, { user: 'u' }],
    [
      { thinking: { type: 'adaptive', display: 'omitted' } },
      { chat_template_kwargs: { enable_thinking: true } },
    ],
    [{ thinking: { type: 'disabled' } }, { chat_template_kwargs: { enable_thinking: false } }],
    [{ output_config: { effort: 'max' } }, { chat_template_kwargs: { reasoning_effort: 'high' } }],
    [
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      {
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } },
      },
    ],
    [
      { min_p: 0.5, priority: 1, return_token_ids: true },
      { min_p: 0.5, priority: 1, return_token_ids: true },
    ],
    [{ context_management: { edits: [] }, service_tier: 'auto', what: 1, container: null }, {}],
  ])('%j', (fields, chat) =>
    expect(chatOf(fields)).toEqual({ model: 'm', messages: hi, max_completion_tokens: 9, ...chat }),
  )

  it('count_tokens has the same prompt, and generates one token where it is not understood', () => {
    const terms = { requestId: '', adapterId: '', cacheSalt: '', priority: 0 }
    const [whole, counted] = [asked({}), asked({}, true)].map(({ chat, read }) =>
      generateRequestOf(chatRequest(chat, read), terms),
    )
    expect(counted?.chat).toEqual(whole?.chat)
    expect(counted?.stopping?.maxTokens).toBe('1')
  })
})

it('images stay where they are', () => {
  const source = (data: string) => ({ type: 'base64', media_type: 'image/png', data })
  const shown = (data: string) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } })
  const url = 'https://example.com/a.png'
  const { chat } = asked({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: source('AA') },
          { type: 'text', text: 'What?' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'image', source: source('BB') }] },
          { type: 'image', source: { type: 'url', url } },
        ],
      },
    ],
  })
  const { messages } = JSON.parse(Buffer.from(chat).toString('utf8')) as { messages: { content: unknown }[] }
  expect(messages.map(({ content }) => content)).toEqual([
    [shown('AA'), { type: 'text', text: 'What?' }],
    null,
    [{ type: 'text', text: '' }, shown('BB')],
    [{ type: 'image_url', image_url: { url } }],
  ])
})

describe('a request is refused', () => {
  const image = { type: 'image', source: { type: 'file', file_id: 'x' } }
  const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: '' } }
  it.each([
    ['no JSON', '{"messages":', 'BAD_BODY', 'not JSON'],
    ['no max_tokens', { max_tokens: undefined }, 'INVALID_REQUEST', 'max_tokens'],
    ['no model', { model: '' }, 'INVALID_REQUEST', 'model'],
    ['no messages', { messages: [] }, 'EMPTY_MESSAGES', 'message'],
    ['another role', { messages: [{ role: 'tool', content: '' }] }, 'INVALID_REQUEST', 'role'],
    ['an image in a file', { messages: [{ role: 'user', content: [image] }] }, 'BAD_IMAGE', 'base64 or url'],
    ['an image as the system', { system: [image] }, 'BAD_MESSAGES', 'image'],
    ['a file', { messages: [{ role: 'user', content: [pdf] }] }, 'BAD_MESSAGES', 'documents'],
    [
      'an unknown block',
      { messages: [{ role: 'user', content: [{ type: 'sound' }] }] },
      'BAD_MESSAGES',
      'sound',
    ],
    [
      'a tool of the provider',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      'UNSUPPORTED_TOOL',
      'web_search_20250305',
    ],
    ['a thread', { thread: { type: 'create' } }, 'NO_THREADS', 'whole'],
    ['MCP servers', { mcp_servers: [{}] }, 'UNSUPPORTED_TOOL', 'mcp_servers'],
    ['a choice without tools', { tool_choice: { type: 'any' } }, 'FIELDS_CONFLICT', 'tool_choice'],
  ])('%s', (_, body, code, message) => {
    try {
      asked(body)
      throw new Error('it was taken')
    } catch (error) {
      if (!(error instanceof HeddleError)) throw error
      expect(error.status).toBe(400)
      const shown = { type: 'invalid_request_error', code, message: expect.stringContaining(message) }
      expect(messageProblem(error)).toEqual({ type: 'error', error: expect.objectContaining(shown) })
    }
  })
})
