import { describe, expect, it } from 'vitest'
import { sealReasoning } from '../chat/reasoning-token.js'
import { type ResponseAsked, type ResponseRead, readResponse } from './read.js'

const known = { leavesOut: false, secrets: ['old', 'secret'], key: 'k' }
const readText = (text: string, more: Partial<ResponseAsked> = {}) =>
  readResponse({ ...known, bytes: Buffer.from(text), ...more }) as ResponseRead
const read = (body: object, leavesOut = false) => readText(JSON.stringify(body), { leavesOut })
const asChat = (body: object, leavesOut = false) =>
  JSON.parse(Buffer.from(read(body, leavesOut).chat).toString()) as Record<string, unknown>
const user = { role: 'user', content: 'hi' }

describe('items become messages', () => {
  const call = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' }
  const toolCall = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
  it.each([
    ['a text', 'hi', [user]],
    ['a message of parts', [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }], [user]],
    [
      'several parts',
      [{ role: 'user', content: ['a', 'b'].map((text) => ({ type: 'input_text', text })) }],
      [{ role: 'user', content: ['a', 'b'].map((text) => ({ type: 'text', text })) }],
    ],
    [
      'system messages at the beginning',
      [{ role: 'developer', content: 'a' }, { type: 'message', role: 'system', content: 'b' }, user],
      [{ role: 'system', content: 'a\n\nb' }, user],
    ],
    [
      'a developer message in the middle',
      [user, { role: 'developer', content: 'now' }],
      [user, { role: 'user', content: 'now' }],
    ],
    [
      "an answer's items, and what tools said",
      [
        user,
        { type: 'reasoning', summary: [], encrypted_content: sealReasoning('so', 'secret') },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look' }] },
        ...[call, { ...call, call_id: 'c2', namespace: 'team' }],
        { type: 'function_call_output', call_id: 'c1', output: 'one' },
        { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'two' }] },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'short' }] },
        { type: 'custom_tool_call', call_id: 'c3', name: 'edit', input: 'x\ny' },
        { type: 'custom_tool_call_output', call_id: 'c3', output: 'ok' },
      ],
      [
        user,
        {
          ...{ role: 'assistant', content: 'I look', reasoning: 'so' },
          tool_calls: [
            toolCall,
            { ...toolCall, id: 'c2', function: { name: 'team__look', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
        { role: 'tool', tool_call_id: 'c2', content: 'two' },
        {
          ...{ role: 'assistant', content: null, reasoning: 'short' },
          tool_calls: [
            { id: 'c3', type: 'function', function: { name: 'edit', arguments: '{"input":"x\\ny"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c3', content: 'ok' },
      ],
    ],
    ["what a provider's tools did", [user, { type: 'web_search_call', id: 'ws' }], [user]],
  ])('%s', (_, input, messages) => expect(asChat({ input }).messages).toEqual(messages))

  it('instructions come first', () =>
    expect(
      asChat({ instructions: 'be', input: [{ role: 'system', content: 'brief' }, user] }).messages,
    ).toEqual([{ role: 'system', content: 'be\n\nbrief' }, user]))
})

it('settings become those of a chat completion, with their digits', () => {
  const text = '{"input":"hi","seed":9007199254740993,"model":"m","n":3,"stream":true}'
  const chat = Buffer.from(readText(text).chat).toString()
  expect(chat).toBe(
    '{"messages":[{"role":"user","content":"hi"}],"seed":9007199254740993,"model":"m","stream":true}',
  )
  const schema = { type: 'object' }
  expect(
    asChat({
      ...{ input: 'hi', max_output_tokens: 5, truncation: 'auto', reasoning: { effort: 'minimal' } },
      text: { format: { type: 'json_schema', name: 'n', schema, strict: true } },
      ...{ include: ['message.output_text.logprobs'], top_logprobs: 2 },
    }),
  ).toMatchObject({
    ...{ max_completion_tokens: 5, truncate_prompt_tokens: -1, reasoning_effort: 'low' },
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
    ...{ logprobs: true, top_logprobs: 2 },
  })
})

describe('tools', () => {
  const look = {
    type: 'function',
    name: 'look',
    description: 'd',
    parameters: { type: 'object' },
    strict: true,
  }
  const chatLook = { name: 'look', description: 'd', parameters: { type: 'object' } }
  const search = { type: 'web_search' }

  it('are functions of a chat completion, and their choice is auto', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
    const { tools, tool_choice } = asChat({
      input: 'hi',
      tools: [
        look,
        { type: 'custom', name: 'edit', description: 'edits', format },
        { type: 'namespace', name: 'team', description: '', tools: [{ type: 'function', name: 'ask' }] },
      ],
    })
    expect(tools).toMatchObject([
      { type: 'function', function: chatLook },
      {
        function: {
          name: 'edit',
          description: expect.stringContaining('start: "a"'),
          parameters: { required: ['input'] },
        },
      },
      { function: { name: 'team__ask' } },
    ])
    expect(tool_choice).toBe('auto')
  })

  it.each([
    ['required', 'required', ['look', 'see']],
    [{ type: 'function', name: 'look' }, { type: 'function', function: { name: 'look' } }, ['look', 'see']],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'see' }] },
      'required',
      ['see'],
    ],
  ])('are chosen by %j', (choice, expected, names) => {
    const chat = asChat({ input: 'hi', tools: [look, { ...look, name: 'see' }], tool_choice: choice })
    expect(chat.tool_choice).toEqual(expected)
    expect((chat.tools as { function: { name: string } }[]).map((tool) => tool.function.name)).toEqual(names)
  })

  it('that only a provider runs are refused by name, or left out for who sends them unasked', () => {
    const body = { input: 'hi', tools: [look, search, { type: 'mcp' }] }
    expect(() => read(body)).toThrow('run web_search, mcp;')
    const { leftOut, answering } = read(body, true)
    expect(leftOut).toEqual(['web_search', 'mcp'])
    expect(JSON.parse(`{${answering.repeated}}`).tools).toEqual([look])
    expect(asChat(body, true).tools).toHaveLength(1)
    expect(() => read({ input: 'hi', tool_choice: search })).toThrow('run web_search;')
  })
})

describe('what a request continues', () => {
  const text = JSON.stringify({
    previous_response_id: 'resp_1',
    input: [{ type: 'item_reference', id: 'msg_1' }, user],
  })

  it('is looked up first', () =>
    expect(readText(text)).toEqual({
      needs: { previous: 'resp_1', conversation: undefined, references: ['msg_1'] },
    }))

  it('comes before what is sent, which gets ids', () => {
    const said = { type: 'message', id: 'msg_1', role: 'assistant', content: 'so' }
    const earlier = { items: [{ role: 'user', content: 'a' }], referenced: new Map([['msg_1', said]]) }
    const { chat, items, answering } = readText(text, { earlier })
    expect(JSON.parse(Buffer.from(chat).toString()).messages).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'so' },
      user,
    ])
    expect(JSON.parse(items)[1]).toMatchObject({
      ...{ type: 'message', id: 'msg_ki1', role: 'user' },
      content: [{ type: 'input_text', text: 'hi' }],
    })
    expect(JSON.parse(`{${answering.repeated}}`)).toMatchObject({
      previous_response_id: 'resp_1',
      store: true,
    })
  })

  it('is summed up on demand', () => {
    const { chat } = readText('{"input":"hi","stream":true}', { compacts: true })
    const asked = JSON.parse(Buffer.from(chat).toString())
    expect(asked).toEqual({ messages: [user, { role: 'user', content: expect.stringContaining('summary') }] })
    const item = { type: 'compaction', encrypted_content: sealReasoning('short', 'secret') }
    expect(asChat({ input: [item] }).messages).toEqual([
      { role: 'user', content: expect.stringMatching(/short$/) },
    ])
  })
})

it.each([sealReasoning('x', 'theirs'), 'damaged'])(
  'reasoning of another provider is left out: %s',
  (token) => {
    const { leftOut, chat } = read({ input: [{ type: 'reasoning', encrypted_content: token }, user] })
    expect(leftOut).toEqual(['reasoning'])
    expect(JSON.parse(Buffer.from(chat).toString()).messages).toEqual([user])
  },
)

it.each([
  ['a stored prompt', { prompt: { id: 'x' } }, 'no stored prompts'],
  ['a response and a conversation', { previous_response_id: 'a', conversation: 'b' }, 'not both'],
  ['no input', {}, 'least one message'],
  [
    'an image in a file',
    { input: [{ role: 'user', content: [{ type: 'input_image' }] }] },
    'without image_url',
  ],
  [
    'an image of the system',
    { input: [{ role: 'system', content: [{ type: 'input_image', image_url: 'data:' }] }] },
    'a system message with an image',
  ],
  ['a file', { input: [{ role: 'user', content: [{ type: 'input_file' }] }] }, 'input[0] has a part of type'],
  ['an unknown item', { input: [{ type: 'strange' }] }, 'input[0] is a strange'],
  ['a call without its id', { input: [{ type: 'function_call', name: 'x' }] }, 'without a call_id'],
  ['a message without a role', { input: [{ content: 'x' }] }, 'without a role'],
  ['a tool without a name', { input: 'hi', tools: [{ type: 'function' }] }, 'needs a name'],
  ['two tools of one name', { input: 'hi', tools: [1, 2].map(() => ({ type: 'custom', name: 'x' })) }, 'Two'],
  [
    'a compaction of somebody else',
    { input: [{ type: 'compaction', encrypted_content: sealReasoning('x', 'theirs') }] },
    'not one of this Heddle',
  ],
  ['tools required of none', { input: 'hi', tool_choice: 'required' }, 'needs tools'],
  ['logprobs without bounds', { input: 'hi', top_logprobs: 21 }, 'Too big'],
])('%s is refused', (_, body, why) => expect(() => read(body)).toThrow(why))
