// The OpenAI SDK against batches: upload, create, wait, read the results, list, cancel, delete.
import OpenAI, { toFile } from 'openai'
import { report } from './result.mjs'

const client = new OpenAI()
const line = (custom_id, body) =>
  JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body })
const messages = [{ role: 'user', content: 'What is the capital of France?' }]
const body = { model: 'demo', messages, temperature: 0, max_tokens: 24 }
const content = [line('right', body), line('wrong', { ...body, model: 'artifact:///me/sdk/nobody' })].join(
  '\n',
)

const file = await client.files.create({
  file: await toFile(Buffer.from(content), 'lines.jsonl'),
  purpose: 'batch',
  expires_after: { anchor: 'created_at', seconds: 3600 },
})
const create = () =>
  client.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    metadata: { by: 'the SDK' },
  })
const open = ['validating', 'in_progress', 'cancelling']
async function ended({ id }) {
  for (;;) {
    const batch = await client.batches.retrieve(id)
    if (!open.includes(batch.status)) return batch
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
const lines = async (id) =>
  (await (await client.files.content(id)).text()).trimEnd().split('\n').map(JSON.parse)

const batch = await ended(await create())
const [answer] = await lines(batch.output_file_id)
const [wrong] = await lines(batch.error_file_id)
const cancelled = await ended(await client.batches.cancel((await create()).id))
const listed = []
for await (const { id } of client.batches.list({ limit: 1 })) listed.push(id)
const files = []
for await (const { id } of client.files.list({ limit: 2, purpose: 'batch' })) files.push(id)
const deleted = await client.files.delete(file.id)
const refused = await client.files.retrieve(file.id).catch(({ status, code }) => ({ status, code }))

report({
  batch,
  file: { purpose: file.purpose, kept: file.expires_at - file.created_at, listed: files.includes(file.id) },
  answer: [answer.custom_id, answer.response.body.choices[0].message.content],
  wrong: [wrong.custom_id, wrong.response.status_code, wrong.response.body.error.reason],
  cancelled: ['cancelled', 'completed'].includes(cancelled.status),
  listed: listed.indexOf(cancelled.id) < listed.indexOf(batch.id),
  deleted: deleted.deleted,
  refused: refused.status,
})
