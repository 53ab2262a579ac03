import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HeddleError } from '../../platform/errors/error.js'
import { generateRequest } from '../../proto/heddle/node/v1/messages.js'
import { generateRequestOf } from './generate.js'
import { problemBody } from './problem.js'
import { readChatRequest } from './request.js'

const messages = [{ role: 'user', content: 'hi' }]
const read = (body: object | string) =>
  readChatRequest(Buffer.from(typeof body === 'string' ? body : JSON.stringify({ messages, ...body })))
const terms = { requestId: 'name', adapterId: '', cacheSalt: 'ours', priority: 0 }
const asked = (body: object | string) => generateRequestOf(read(body), terms)

function refusal(body: object | string): { status: number; body: Record<string, unknown> } {
  try {
    read(body)
  } catch (error) {
    if (error instanceof HeddleError) return { status: error.status, body: problemBody(error) }
    throw error
  }
  throw new Error('it was taken')
}

describe('a request is refused', () => {
  it.each([
    ['no messages', '{}', 422],
    ['no body', '', 422],
    ['an empty list of messages', { messages: [] }, 400],
    ['a message without a role', { messages: [{ content: 'x' }] }, 422],
    ['no JSON', '{"messages":', 400],
    ['both continue_final_message and add_generation_prompt', { continue_final_message: true }, 400],
    ['top_logprobs alone', { top_logprobs: 2 }, 400],
    ['stream_options alone', { stream_options: {} }, 400],
    ['two kinds of structure', { structured_outputs: { regex: 'a', choice: ['b'] } }, 400],
    [
      'structure twice',
      { structured_outputs: { regex: 'a' }, response_format: { type: 'json_object' } },
      400,
    ],
    ['a schema that is not there', { response_format: { type: 'json_schema' } }, 400],
    ['tool_choice without tools', { tool_choice: 'required' }, 400],
    ['min_tokens over max_tokens', { min_tokens: 5, max_tokens: 4 }, 400],
    ['nothing allowed', { allowed_token_ids: [] }, 400],
    ['n of 0', { n: 0 }, 422],
    ['a negative temperature', { temperature: -0.1 }, 422],
    ['top_p of 0', { top_p: 0 }, 422],
    ['top_p over 1', { top_p: 1.01 }, 422],
    ['min_p over 1', { min_p: 2 }, 422],
    ['top_k of -2', { top_k: -2 }, 422],
    ['a large penalty', { presence_penalty: 2.5 }, 422],
    ['top_logprobs over 20', { logprobs: true, top_logprobs: 21 }, 422],
    ['truncate_prompt_tokens of -2', { truncate_prompt_tokens: -2 }, 422],
    ['a seed with a fraction', { seed: 1.5 }, 422],
    ['a seed beyond the printed bound', `{"messages":[{"role":"user"}],"seed":9223372036854776001}`, 422],
    ['a token id that is none', { logit_bias: { x: 1 } }, 422],
    ['an unknown effort', { reasoning_effort: 'huge' }, 422],
  ])('with %s', (_, body, status) => {
    const { status: got, body: shown } = refusal(body)
    expect(got).toBe(status)
    expect(shown.error).toMatchObject({ message: expect.any(String), code: status })
    if (status === 422) expect(shown.detail).toEqual([expect.objectContaining({ loc: expect.any(Array) })])
  })

  it('by the name of the field, also where the interface has only its place', () => {
    const { error } = refusal({ stop: 5 }).body
    expect(error).toMatchObject({ param: 'stop', message: expect.stringMatching(/^stop: .+\.$/) })
    const deep = refusal({ messages: [{ role: 'user', content: 5 }] }).body.error
    expect(deep).toMatchObject({ param: 'messages', message: expect.stringContaining('messages.0.content') })
  })
})

describe('a request', () => {
  it('keeps every digit of a seed, clamped to 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt(-9223372036854776000n, 9223372036854776000n), (seed) => {
        const { seed: got } = read(`{"messages":[{"role":"user"}],"seed":${seed}}`)
        const [low, high] = [-(2n ** 63n), 2n ** 63n - 1n]
        expect(got).toBe(String(seed < low ? low : seed > high ? high : seed))
      }),
    )
    expect(read({ seed: 5e3 }).seed).toBe('5000')
  })

  it('goes to the node with its own JSON, number for number', () => {
    const body = `{"messages":[{"role":"user","content":"x","n":1.0}],"documents":[{"a":10000000000000000001}]}`
    expect(asked(body).chat).toMatchObject({
      messagesJson: '[{"role":"user","content":"x","n":1.0}]',
      documentsJson: '[{"a":10000000000000000001}]',
    })
    const schema = '{"maximum":12345678901234567890}'
    const format = `{"messages":[],"response_format":{"type":"json_schema","json_schema":{"schema":${schema}}}}`
    expect(asked(format.replace('[]', '[{"role":"user"}]')).structure).toMatchObject({ json: schema })
  })

  it('takes the older name of backend_xargs', () => {
    expect(asked({ vllm_xargs: { a: 1 } }).backendXargsJson).toBe('{"a":1}')
    expect(asked({ vllm_xargs: { a: 1 }, backend_xargs: { b: 2 } }).backendXargsJson).toBe('{"b":2}')
  })

  it('reads null as absent, in every field', () => {
    const names = Object.keys(every())
    const nulls = Object.fromEntries(names.map((name) => [name, null]))
    expect(asked(nulls)).toEqual(asked({}))
  })

  it.each(Object.entries(every()))('says %s to the node', (name, value) => {
    const needs = { ...(name === 'top_logprobs' && { logprobs: true }), ...needed[name] }
    const encode = (body: object) => generateRequest.encode(asked(body)).toString('hex')
    expect(encode({ ...needs, [name]: value })).not.toBe(encode(needs))
  })
})

const tool = { type: 'function', function: { name: 'f', parameters: {} } }
const needed: Record<string, object> = {
  tool_choice: { tools: [tool] },
  continue_final_message: { add_generation_prompt: false },
}

/** A value other than the default, for every field that a node must hear of. */
function every(): Record<string, unknown> {
  return {
    ...{ frequency_penalty: 1, logit_bias: { 5: 2 }, logprobs: true, top_logprobs: 3, max_tokens: 7 },
    ...{
      max_completion_tokens: 8,
      n: 2,
      presence_penalty: 1,
      response_format: { type: 'json_object' },
      seed: 1,
    },
    ...{ stop: 'x', stream: true, temperature: 0.5, top_p: 0.5, tools: [tool], tool_choice: 'auto' },
    ...{
      reasoning_effort: 'low',
      include_reasoning: false,
      parallel_tool_calls: false,
      use_beam_search: true,
    },
    ...{ top_k: 5, min_p: 0.5, repetition_penalty: 2, length_penalty: 2, stop_token_ids: [3] },
    ...{ include_stop_str_in_output: true, ignore_eos: true, min_tokens: 1, skip_special_tokens: false },
    ...{ spaces_between_special_tokens: false, truncate_prompt_tokens: 5, prompt_logprobs: 0 },
    ...{ allowed_token_ids: [1], bad_words: ['x'], echo: true, add_generation_prompt: false },
    ...{ continue_final_message: true, add_special_tokens: true, documents: [{ a: 1 }], chat_template: 'x' },
    ...{ chat_template_kwargs: { a: 1 }, mm_processor_kwargs: { a: 1 }, structured_outputs: { regex: 'a' } },
    ...{ return_tokens_as_token_ids: true, return_token_ids: true },
    ...{ kv_transfer_params: { a: 1 }, backend_xargs: { a: 1 } },
    ...{ repetition_detection: { max_pattern_size: 3, min_pattern_size: 1, min_count: 2 } },
  }
}

it.each([5, { text: 'a' }, [{ text: 'a' }]])(
  'a message may not hold %j, and is told what it may',
  (content) => {
    const { status, body } = refusal({ messages: [{ role: 'user', content }] })
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain('messages.0.content: Should be a text or a list of parts')
  },
)
