/** Embeddings by a real model node, as the published SDKs see them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { ChatEndpoint } from '../support/chat-server.js'
import { runNode, runPython, runText } from '../support/program.js'
import { root } from '../support/root.js'
import { sharedChat } from '../support/shared-server.js'
import { until } from '../support/until.js'

let chat: ChatEndpoint
beforeAll(async () => {
  chat = await sharedChat()
  await until('the embedding model to be served', async () => {
    const answer = await fetch(`${chat.url}/v1/models/demo-embedding`, { headers: chat.authorization })
    return answer.ok
  })
})

it('work with the Python SDK, unchanged', async () => {
  expect(await runPython(chat.server, 'openai_embeddings', chat.clientEnv)).toEqual({
    form: ['list', 'embedding', 2, 'demo-embedding'],
    ...{ usage: true, sizes: [64, 16], nearer: true, same: [true, true], renormalised: 1, tokens: true },
    refused: [
      [400, 'EMPTY_INPUT', 'input'],
      [400, 'PROMPT_TOO_LONG', 'input'],
      [400, 'BAD_FIELD', 'dimensions'],
      [400, 'NO_EMBEDDINGS', 'model'],
      [404, 'UNKNOWN_MODEL', 'model'],
    ],
    chat: [400, 'NO_CHAT'],
    listed: expect.arrayContaining([
      ['demo', true, false],
      ['demo-embedding', false, true],
    ]),
  })
})

it('work with the JavaScript SDK, unchanged', async () => {
  expect(await runNode(chat.server, 'openai-embeddings', chat.clientEnv)).toEqual({
    lengths: [64, 64],
    same: true,
  })
})

const LANGCHAIN = `
import { OpenAIEmbeddings } from '@langchain/openai'
const model = new OpenAIEmbeddings({ model: 'demo-embedding', dimensions: 32 })
const [hello, hi] = await model.embedDocuments(['Hello!', 'Hi'])
const query = await model.embedQuery('Hello!')
const near = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0).toFixed(3)
console.log(JSON.stringify([hello.length, hi.length, near(hello, query)]))
`

it('work with LangChain, unchanged', async () => {
  const printed = await runText(chat.server, 'js', LANGCHAIN, chat.clientEnv, 120, 'js-frameworks')
  expect(JSON.parse(printed)).toEqual([32, 32, '1.000'])
})

it('the script of the guide finds what its page says', async () => {
  const script = readFileSync(join(root, 'docs/guides/embeddings.py'), 'utf8')
  const printed = await runText(chat.server, 'python', script, chat.clientEnv)
  const page = readFileSync(join(root, 'docs/guides/embeddings.md'), 'utf8')
  expect(page).toContain(`\n\`\`\`\n${printed.trim()}\n\`\`\`\n`)
})
