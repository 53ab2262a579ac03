/** Agents and frameworks ask by responses, of which none is told: their tools run, and what they stored comes back. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scriptedModel } from '../../proto/heddle/node/v1/testing/scripted-model.js'
import { ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatServer } from '../support/chat-server.js'
import { runPython, runText } from '../support/program.js'
import { root } from '../support/root.js'

const node = new ScriptedNode({ model: 'coder' })
let chat: ChatServer
beforeAll(async () => {
  // It calls its first tool once a question, and tells what that said.
  node.script = scriptedModel(({ messages, tools, results }) => {
    const isTold = messages.at(-1)?.role === 'tool'
    const [name] = tools
    if (name && !isTold && results.length === 0) return { calls: [{ name, arguments: { city: 'Paris' } }] }
    return { text: `It is ${results.at(-1) ?? 'unknown'}.` }
  })
  chat = await ChatServer.start({ env: { HEDDLE_NODES: await node.start() } })
})
afterAll(async () => {
  await chat?.dispose()
  node.kill()
})

const SUNNY = 'It is sunny in Paris.'

it('OpenAI Agents and LangChain in Python', async () => {
  const found = await runPython(
    chat.server,
    'agents_responses',
    chat.clientEnv,
    120,
    '.venv/instrumentations',
  )
  expect(found).toEqual({
    ...{ agents: SUNNY, chained: SUNNY },
    streamed: {
      output: SUNNY,
      types: expect.arrayContaining(['raw_response_event', 'run_item_stream_event']),
    },
    session: ['message', 'function_call', 'function_call_output', 'message'],
    langchain: { called: ['look_up'], text: SUNNY },
  })
})

it("Vercel's SDK, LangChain and OpenAI Agents in JavaScript", async () => {
  const program = readFileSync(join(root, 'test/clients/js-frameworks/responses.mjs'), 'utf8')
  const found = JSON.parse(
    await runText(chat.server, 'js', program, chat.clientEnv, 120, 'js-frameworks'),
  ) as object
  expect(found).toEqual({ vercel: SUNNY, streamed: SUNNY, langchain: 'It is unknown.', agents: SUNNY })
})
