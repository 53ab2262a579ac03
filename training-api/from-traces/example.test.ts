/** What becomes of one call or row: a table of the forms that programs trace, and of why a row is left out. */
import { describe, expect, it } from 'vitest'
import { exampleOf, type Reading } from './example.js'
import { LeftOut } from './left-out.js'
import type { Row } from './row.js'

const plain: Reading = { template: null, reward: null, min_reward: null }
const ended = { ended_at: '2026-01-01T00:00:01Z', exception: null }

function conversation(value: Record<string, unknown>, kind: Row['kind'] = 'call', reading = plain) {
  const { prompt, answer, tools } = exampleOf(
    { id: 'x', kind, value: kind === 'call' ? { ...ended, ...value } : value },
    reading,
  )
  return { messages: [...prompt, answer.message], tools }
}

function reason(value: Record<string, unknown>, kind: Row['kind'] = 'call', reading = plain): string {
  try {
    conversation(value, kind, reading)
  } catch (error) {
    if (error instanceof LeftOut) return error.reason
    throw error
  }
  return 'used'
}

const user = { role: 'user', content: 'Hi' }
const said = { role: 'assistant', content: 'Hello!' }
const completion = { choices: [{ index: 0, finish_reason: 'stop', message: { ...said, refusal: null } }] }
const weatherCall = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"in":"Oslo"}' } }

describe('a call becomes the conversation', () => {
  it.each<[string, Record<string, unknown>]>([
    ['of a chat completion', { inputs: { model: 'm', messages: [user] }, output: completion }],
    ['whose function returned a text', { inputs: { messages: [user] }, output: 'Hello!' }],
    ['whose function returned a message', { inputs: { messages: [user] }, output: said }],
    ['whose output wraps a text', { inputs: { messages: [user] }, output: { answer: 'Hello!' } }],
    ['of a function with one text', { inputs: { question: 'Hi', top_k: 3 }, output: 'Hello!' }],
    [
      'of an Anthropic message',
      {
        inputs: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
        output: {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: '…' },
            { type: 'text', text: 'Hello!' },
          ],
        },
      },
    ],
    [
      'of the responses interface',
      {
        inputs: { input: 'Hi' },
        output: {
          output: [
            { type: 'reasoning' },
            { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello!' }] },
          ],
        },
      },
    ],
    [
      'of Gemini',
      {
        inputs: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
        output: { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello!' }] } }] },
      },
    ],
    [
      'of a span with indexed attributes',
      {
        inputs: { 'gen_ai.prompt': [user] },
        output: { 'gen_ai.completion': [{ content: 'Hello!', finish_reason: 'stop' }] },
      },
    ],
    [
      'of a span with message parts',
      {
        inputs: { 'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }] },
        output: {
          'gen_ai.output.messages': [
            { role: 'assistant', parts: [{ type: 'text', content: 'Hello!' }], finish_reason: 'stop' },
          ],
        },
      },
    ],
    [
      'of a span of OpenInference',
      {
        inputs: { 'llm.input_messages': [{ message: { role: 'user', content: 'Hi' } }] },
        output: {
          'llm.output_messages': [
            {
              message: {
                role: 'assistant',
                contents: [{ message_content: { type: 'text', text: 'Hello!' } }],
              },
            },
          ],
        },
      },
    ],
    [
      'of the events of a span',
      {
        inputs: { 'gen_ai.input.messages': [{ role: 'user', content: [{ text: 'Hi' }] }] },
        output: {
          'gen_ai.output.messages': [
            { role: 'assistant', content: [{ text: 'Hello!' }], finish_reason: 'stop' },
          ],
        },
      },
    ],
    [
      'of Langfuse',
      {
        inputs: { 'langfuse.observation.input': [user] },
        output: { 'langfuse.observation.output': { role: 'assistant', content: 'Hello!' } },
      },
    ],
    [
      'of a span with plain values',
      { inputs: { 'input.value': 'Hi' }, output: { 'output.value': 'Hello!' } },
    ],
    [
      'of the AI SDK',
      { inputs: { 'ai.prompt': { messages: [user] } }, output: { 'ai.response': { text: 'Hello!' } } },
    ],
    [
      'of LangChain',
      {
        inputs: { messages: [[{ type: 'human', content: 'Hi' }]] },
        output: { id: ['langchain', 'schema', 'AIMessage'], kwargs: { content: 'Hello!' } },
      },
    ],
    [
      'whose span holds the answer in both',
      {
        inputs: { 'pydantic_ai.all_messages': [user, said] },
        output: { final_result: 'Hello!' },
      },
    ],
  ])('%s', (_, call) => {
    expect(conversation(call)).toEqual({ messages: [user, said], tools: undefined })
  })

  it.each<[string, Record<string, unknown>]>([
    ['beside the messages', { inputs: { system: 'Be kind.', messages: [user] }, output: 'Hello!' }],
    ['as instructions', { inputs: { instructions: 'Be kind.', input: [user] }, output: 'Hello!' }],
    [
      'as an attribute',
      {
        inputs: { 'gen_ai.input.messages': [user] },
        attributes: { system: [{ type: 'text', content: 'Be kind.' }] },
        output: 'Hello!',
      },
    ],
  ])('with its system message: %s', (_, call) => {
    expect(conversation(call).messages).toEqual([{ role: 'system', content: 'Be kind.' }, user, said])
  })

  it('and a provider named in the attributes is no system message', () => {
    const call = { inputs: { 'gen_ai.prompt': [user] }, attributes: { system: 'openai' }, output: 'Hello!' }
    expect(conversation(call).messages).toEqual([user, said])
  })

  const parameters = { type: 'object' }
  const tool = { type: 'function', function: { name: 'weather', description: 'of a place', parameters } }
  it.each<[string, Record<string, unknown>]>([
    [
      'OpenAI',
      {
        inputs: {
          tools: [tool],
          messages: [
            user,
            { role: 'assistant', content: null, tool_calls: [weatherCall] },
            { role: 'tool', tool_call_id: 'c1', content: 'rain' },
          ],
        },
      },
    ],
    [
      'Anthropic',
      {
        inputs: {
          tools: [{ name: 'weather', description: 'of a place', input_schema: parameters }],
          messages: [
            user,
            {
              role: 'assistant',
              content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { in: 'Oslo' } }],
            },
            {
              role: 'user',
              content: [
                { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'rain' }] },
              ],
            },
          ],
        },
      },
    ],
    [
      'the responses interface',
      {
        inputs: {
          tools: [{ type: 'function', name: 'weather', description: 'of a place', parameters }],
          input: [
            user,
            { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"in":"Oslo"}' },
            { type: 'function_call_output', call_id: 'c1', output: 'rain' },
          ],
        },
      },
    ],
    [
      'OpenTelemetry',
      {
        inputs: {
          tools: [tool],
          'gen_ai.input.messages': [
            user,
            {
              role: 'assistant',
              parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { in: 'Oslo' } }],
            },
            { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rain' }] },
          ],
        },
      },
    ],
  ])('with its tools: %s', (_, call) => {
    expect(conversation({ ...call, output: completion })).toEqual({
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [weatherCall] },
        { role: 'tool', tool_call_id: 'c1', content: 'rain' },
        said,
      ],
      tools: [tool],
    })
  })

  it('whose answer is a call of a tool', () => {
    const message = { role: 'assistant', content: null, tool_calls: [weatherCall] }
    const call = { inputs: { messages: [user] }, output: { choices: [{ message }] } }
    expect(conversation(call).messages).toEqual([user, message])
  })
})

describe('a row of a dataset becomes the conversation', () => {
  it.each<[string, Record<string, unknown>]>([
    ['that it is', { messages: [user, said] }],
    ['of messages and an answer', { messages: [user], output: 'Hello!' }],
    ['of a prompt and its completion', { prompt: 'Hi', completion: 'Hello!', source: 'chat', lang: 'en' }],
    ['of a question and its answer', { question: 'Hi', answer: 'Hello!' }],
    ['of its only other text', { greeting: 'Hi', answer: 'Hello!' }],
    [
      'of ShareGPT',
      {
        conversations: [
          { from: 'human', value: 'Hi' },
          { from: 'gpt', value: 'Hello!' },
        ],
      },
    ],
    ['of a call that was put into it', { inputs: { messages: [user] }, output: completion }],
  ])('%s', (_, row) => {
    expect(conversation(row, 'row').messages).toEqual([user, said])
  })

  it('keeps roles that nobody knows, whatever they are called', () => {
    const named = { role: 'constructor', content: 'Hi' }
    expect(conversation({ messages: [named], answer: 'Hello!' }, 'row').messages).toEqual([named, said])
  })

  it('of an instruction and what it is about', () => {
    const row = { instruction: 'Translate', input: 'Hund', output: 'dog' }
    expect(conversation(row, 'row').messages).toEqual([
      { role: 'user', content: 'Translate\n\nHund' },
      { role: 'assistant', content: 'dog' },
    ])
  })
})

describe('a template', () => {
  const template = {
    system: 'You {{only}} sort.',
    prompt: 'Ticket {inputs.n}: {inputs.text}',
    completion: '{output.team}',
    rejected: null,
  }
  it('makes the conversation', () => {
    const call = { inputs: { n: 7, text: 'It crashes' }, output: { team: 'support' } }
    expect(conversation(call, 'call', { ...plain, template }).messages).toEqual([
      { role: 'system', content: 'You {only} sort.' },
      { role: 'user', content: 'Ticket 7: It crashes' },
      { role: 'assistant', content: 'support' },
    ])
  })

  it('needs its fields', () => {
    const call = { ...ended, inputs: { n: 7 }, output: { team: 'support' } }
    expect(() => exampleOf({ id: 'x', kind: 'call', value: call }, { ...plain, template })).toThrow(
      "The template's field inputs.text is missing or empty.",
    )
  })
})

describe('left out is', () => {
  const good = { inputs: { messages: [user] }, output: 'Hello!' }
  const ref = 'weave:///acme/one/object/x:1'
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
  it.each<[string, Record<string, unknown>, string]>([
    ['nothing that can be used', good, 'used'],
    ['a call that failed', { ...good, exception: 'boom' }, 'failed'],
    ['a call that runs', { ...good, ended_at: null }, 'unfinished'],
    ['a call of numbers', { inputs: { a: 1 }, output: 'Hello!' }, 'no_messages'],
    ['a call of two texts', { inputs: { a: 'x', b: 'y' }, output: 'Hello!' }, 'no_messages'],
    [
      'instructions alone',
      { inputs: { messages: [{ role: 'system', content: 'x' }] }, output: 'y' },
      'no_messages',
    ],
    ['no answer', { ...good, output: null }, 'no_answer'],
    ['an empty answer', { ...good, output: ' ' }, 'no_answer'],
    ['an answer that is a ref', { ...good, output: ref }, 'unresolved_ref'],
    [
      'a prompt with one',
      { ...good, inputs: { messages: [{ role: 'system', content: ref }, user] } },
      'unresolved_ref',
    ],
    [
      'a part that is one',
      { ...good, inputs: { messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, ref] }] } },
      'unresolved_ref',
    ],
    [
      'a tool call with one',
      {
        ...good,
        output: { role: 'assistant', content: null, tool_calls: [{ name: 'w', arguments: { of: [ref] } }] },
      },
      'unresolved_ref',
    ],
    [
      'no ref: a text that mentions one',
      { ...good, inputs: { messages: [{ role: 'user', content: `What is ${ref}?` }] } },
      'used',
    ],
    ['a number for an answer', { ...good, output: 5 }, 'no_answer'],
    ['messages of no role', { ...good, inputs: { messages: [{ content: 'x' }] } }, 'bad_message'],
    ['messages that are texts', { ...good, inputs: { messages: ['x'] } }, 'bad_message'],
    ['an image', { ...good, inputs: { messages: [{ role: 'user', content: [image] }] } }, 'not_text'],
    ['a key in a text', { ...good, output: `use sk-${'a1'.repeat(16)}` }, 'secret'],
    [
      'a key among arguments',
      {
        ...good,
        output: {
          role: 'assistant',
          tool_calls: [{ function: { name: 'f', arguments: '{"api_key":"hunter2"}' } }],
        },
      },
      'secret',
    ],
    ['a book', { ...good, output: 'x'.repeat(5 * 2 ** 20) }, 'too_long'],
  ])('%s', (_, call, expected) => {
    expect(reason(call)).toBe(expected)
  })
})

describe('the reward', () => {
  const good = { inputs: { messages: [user] }, output: 'Hello!' }
  const given = (feedback: object[]) => ({ ...good, summary: { weave: { feedback } } })
  const value = (rule: NonNullable<Reading['reward']>, row: Record<string, unknown>) =>
    exampleOf({ id: 'x', kind: 'call', value: { ...ended, ...row } }, { ...plain, reward: rule }).reward
  const reaction = (emoji: string, type = 'wandb.reaction.1') => ({ feedback_type: type, payload: { emoji } })
  const thumbs = { from: 'reaction', values: { '👍': 1, '👎': 0 } } as const

  it.each<[string, object[], number]>([
    ['👍', [reaction('👍')], 1],
    ['👎', [reaction('👎', 'platform.reaction.1')], 0],
    ['with a skin tone', [reaction('👍🏽')], 1],
    ['the mean of several', [reaction('👍'), reaction('👎'), reaction('🎉')], 0.5],
  ])('of a reaction: %s', (_, feedback, expected) => {
    expect(value(thumbs, given(feedback))).toBe(expected)
  })

  it('of a number in a payload', () => {
    const rule = { from: 'feedback', feedback_type: 'stars', path: 'given.stars' } as const
    expect(value(rule, given([{ feedback_type: 'stars', payload: { given: { stars: 4 } } }]))).toBe(4)
  })

  it('of a scorer, under either name of its type', () => {
    const feedback = [{ feedback_type: 'wandb.runnable.judge', payload: { output: { passed: true } } }]
    expect(value({ from: 'scorer', name: 'judge', path: 'passed' }, given(feedback))).toBe(1)
    const direct = [{ feedback_type: 'platform.runnable.judge', payload: { output: 0.25 } }]
    expect(value({ from: 'scorer', name: 'judge', path: null }, given(direct))).toBe(0.25)
  })

  it('of the call itself', () => {
    expect(value({ from: 'column', path: 'attributes.score' }, { ...good, attributes: { score: 3 } })).toBe(3)
  })

  it('is needed where it is asked for', () => {
    expect(reason(given([reaction('🎉')]), 'call', { ...plain, reward: thumbs })).toBe('no_reward')
    const least = { ...plain, reward: thumbs, min_reward: 1 }
    expect(reason(given([reaction('👎')]), 'call', least)).toBe('low_reward')
  })
})
