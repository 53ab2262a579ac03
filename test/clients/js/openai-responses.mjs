// The OpenAI SDK against the Responses interface: whole, streamed by its helper, with tools, aborted, refused.
import OpenAI from 'openai'
import { report } from './result.mjs'

const client = new OpenAI({ project: 'me/responses' })
const base = { model: 'demo', input: 'What is the capital of France?', temperature: 0, max_output_tokens: 24 }

async function streamed() {
  const stream = client.responses.stream(base)
  let text = ''
  stream.on('response.output_text.delta', ({ delta }) => {
    text += delta
  })
  const answer = await stream.finalResponse()
  return { text, whole: answer.output_text, status: answer.status }
}

async function tools() {
  const answer = await client.responses.create({
    ...base,
    max_output_tokens: 200,
    tool_choice: 'required',
    parallel_tool_calls: false,
    tools: [
      {
        type: 'function',
        name: 'look_up',
        strict: true,
        parameters: {
          type: 'object',
          properties: { kind: { enum: ['city', 'river'] } },
          required: ['kind'],
          additionalProperties: false,
        },
      },
    ],
  })
  return answer.output.map(({ type, name, arguments: text }) => ({ type, name, ...JSON.parse(text) }))
}

async function structured() {
  const properties = { colour: { enum: ['red', 'green'] } }
  const schema = { type: 'object', properties, required: ['colour'], additionalProperties: false }
  const format = { type: 'json_schema', name: 'paint', schema, strict: true }
  const structured_outputs = { disable_any_whitespace: true }
  const answer = await client.responses.create({ ...base, text: { format }, structured_outputs })
  return JSON.parse(answer.output_text)
}

async function aborted() {
  const long = { ...base, max_output_tokens: 1000, ignore_eos: true, stream: true }
  const stream = await client.responses.create(long)
  for await (const { type } of stream)
    if (type === 'response.output_text.delta') {
      stream.controller.abort()
      return type
    }
}

async function refused() {
  try {
    await client.responses.create({ ...base, tools: [{ type: 'web_search' }] })
  } catch ({ status, message }) {
    return { status, message }
  }
}

const plain = await client.responses.create(base)
report({
  plain: { text: plain.output_text, status: plain.status },
  streamed: await streamed(),
  tools: await tools(),
  structured: await structured(),
  aborted: await aborted(),
  refused: await refused(),
})
