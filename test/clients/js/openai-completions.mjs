// The OpenAI SDK against text completions: whole, streamed, by tokens, with log-probabilities.
import OpenAI from 'openai'
import { report } from './result.mjs'

const client = new OpenAI()
const base = { model: 'demo', prompt: 'The capital of', temperature: 0, max_tokens: 4 }
const plain = await client.completions.create({ ...base, return_token_ids: true })
const byTokens = await client.completions.create({ ...base, prompt: plain.choices[0].prompt_token_ids })
const scored = await client.completions.create({ ...base, logprobs: 0 })
let streamed = ''
for await (const chunk of await client.completions.create({ ...base, stream: true }))
  streamed += chunk.choices[0].text

report({
  same: [byTokens.choices[0].text, streamed].map((text) => text === plain.choices[0].text),
  logprobs: scored.choices[0].logprobs.token_logprobs.length,
})
