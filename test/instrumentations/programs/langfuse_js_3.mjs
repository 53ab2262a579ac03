import { Langfuse, observeOpenAI } from 'langfuse'
import OpenAI from 'openai'

const langfuse = new Langfuse()
const question = 'How is the weather in Paris?'
for (const input of [question, 'fail']) {
  const parent = langfuse.trace({ name: 'answer', sessionId: 'session-1', userId: 'ann', input })
  const client = observeOpenAI(new OpenAI({ maxRetries: 0 }), { parent })
  await client.chat.completions
    .create({ model: 'gpt-4o', messages: [{ role: 'user', content: input }] })
    .then(({ choices }) => parent.update({ output: choices[0].message.content }))
    .catch(() => undefined)
}
await langfuse.shutdownAsync()
