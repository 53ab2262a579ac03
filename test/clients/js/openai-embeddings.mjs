// The OpenAI SDK against embeddings: its default, which is base64 on the wire, and floats.
import OpenAI from 'openai'
import { report } from './result.mjs'

const client = new OpenAI()
const ask = async (more) =>
  (await client.embeddings.create({ model: 'demo-embedding', input: ['Hello!', 'Hi'], ...more })).data
const usual = await ask({})
const floats = await ask({ encoding_format: 'float', dimensions: 64 })

report({
  lengths: usual.map(({ embedding }) => embedding.length),
  same: usual.every(({ embedding }, i) =>
    embedding.every((value, at) => Math.abs(value - floats[i].embedding[at]) < 1e-6),
  ),
})
