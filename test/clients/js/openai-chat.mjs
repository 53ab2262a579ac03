// The OpenAI SDK against the chat interface: plain, streamed, several choices, log-probabilities, tools, structure,
// abort.
import OpenAI from 'openai'
import { report } from './result.mjs'

const client = new OpenAI({ project: 'me/sdk' })
const messages = [{ role: 'user', content: 'What is the capital of France?' }]
const base = { model: 'demo', messages, temperature: 0 }

async function streamed() {
  const stream = await client.chat.completions.create({
    ...base,
    max_tokens: 24,
    stream: true,
    stream_options: { include_usage: true },
  })
  let content = ''
  let usage
  for await (const chunk of stream) {
    content += chunk.choices[0]?.delta.content ?? ''
    usage = chunk.usage ?? usage
  }
  return { content, usage }
}

async function aborted() {
  const stream = await client.chat.completions.create({
    ...base,
    max_tokens: 1000,
    stream: true,
    ignore_eos: true,
  })
  for await (const chunk of stream) {
    stream.controller.abort()
    return chunk.choices[0].delta.role
  }
}

const plain = await client.chat.completions.create({ ...base, max_tokens: 24 })
const several = await client.chat.completions.create({ ...base, n: 3, temperature: 1, max_tokens: 4 })
const logprobs = await client.chat.completions.create({
  ...base,
  max_tokens: 4,
  logprobs: true,
  top_logprobs: 2,
})
const tools = await client.chat.completions.create({
  ...base,
  max_tokens: 200,
  tools: [
    {
      type: 'function',
      function: {
        name: 'look_up',
        parameters: {
          type: 'object',
          properties: { kind: { enum: ['city', 'river'] } },
          required: ['kind'],
          additionalProperties: false,
        },
      },
    },
  ],
  tool_choice: 'required',
  parallel_tool_calls: false,
})
const structured = await client.chat.completions.create({
  ...base,
  max_tokens: 60,
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'pick',
      schema: {
        type: 'object',
        properties: { colour: { enum: ['red', 'green'] } },
        required: ['colour'],
        additionalProperties: false,
      },
    },
  },
})
const refused = await client.chat.completions
  .create({ ...base, model: 'nothing-like-it' })
  .catch((error) => error)
const unknown = await client.models.retrieve('artifact:///me/sdk/nobody').catch((error) => error)

report({
  model: await client.models.retrieve('demo'),
  plain: { content: plain.choices[0].message.content, usage: plain.usage },
  streamed: await streamed(),
  several: several.choices.map(({ index }) => index),
  logprobs: {
    tokens: logprobs.choices[0].logprobs.content.length,
    completion: logprobs.usage.completion_tokens,
  },
  tools: tools.choices[0].message.tool_calls.map(({ function: { name, arguments: text } }) => [
    name,
    JSON.parse(text),
  ]),
  structured: JSON.parse(structured.choices[0].message.content),
  aborted: await aborted(),
  refused: { status: refused.status, message: refused.message },
  unknown: { status: unknown.status, param: unknown.param, message: unknown.message },
})
