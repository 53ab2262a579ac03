// Anthropic's SDK against the Messages interface: plain, streamed, counted, tools, structure, abort, errors.
import Anthropic from '@anthropic-ai/sdk'
import { report } from './result.mjs'

// As Claude Code with ANTHROPIC_AUTH_TOKEN; the Python program sends its key in `x-api-key`.
const client = new Anthropic({ apiKey: null, authToken: process.env.ANTHROPIC_API_KEY })
const messages = [{ role: 'user', content: 'What is the capital of France?' }]
const usual = { model: 'demo', messages, max_tokens: 24, temperature: 0 }
const input_schema = {
  type: 'object',
  properties: { kind: { enum: ['city', 'river'] } },
  required: ['kind'],
  additionalProperties: false,
}

async function streamed() {
  let text = ''
  const stream = client.messages.stream(usual).on('text', (piece) => {
    text += piece
  })
  return { text, message: await stream.finalMessage(), said: text }
}

async function aborted() {
  const stream = client.messages.stream({ ...usual, max_tokens: 1000, ignore_eos: true })
  for await (const event of stream) {
    stream.abort()
    return event.type
  }
}

const called = client.messages.stream({
  ...usual,
  max_tokens: 200,
  tools: [{ name: 'look_up', input_schema }],
  tool_choice: { type: 'tool', name: 'look_up' },
})
const structured = await client.messages.create({
  ...usual,
  max_tokens: 60,
  output_config: { format: { type: 'json_schema', schema: input_schema } },
})
const { content, stop_reason } = await called.finalMessage()
const counted = await client.messages.countTokens({ model: 'demo', messages })
const refused = await client.messages.create({ ...usual, model: 'nothing-like-it' }).catch((error) => error)
const models = await client.models.list()

report({
  plain: await client.messages.create(usual),
  streamed: await streamed(),
  counted: counted.input_tokens,
  tools: { content, stop_reason },
  structured: JSON.parse(structured.content[0].text),
  aborted: await aborted(),
  models: models.data.map(({ id }) => id),
  refused: { status: refused.status, type: refused.type, message: refused.message },
})
