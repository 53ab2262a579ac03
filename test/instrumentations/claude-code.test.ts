/**
 * Claude Code and its agent SDK do a whole task with a model served here: read a file, edit it, run a command, end. The
 * demo model can't think, so a script answers behind the node's protocol; a run with a real engine shows that all of a
 * request gets through.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Said, scriptedModel } from '../../proto/heddle/node/v1/testing/scripted-model.js'
import { ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { ChatServer } from '../support/chat-server.js'
import { main } from '../support/command.js'
import { runText } from '../support/program.js'
import { root } from '../support/root.js'
import { until } from '../support/until.js'
import { placeOf } from './places.js'
import { longDemoModel, trainOnSessions } from './sessions.js'

const node = new ScriptedNode({ model: 'coder', contextLength: 200_000 })
let chat: ChatServer
let folder: string

beforeAll(async () => {
  chat = await ChatServer.start({ env: { HEDDLE_NODES: await node.start() } })
  folder = mkdtempSync(join(tmpdir(), 'heddle-repository-'))
})
afterAll(async () => {
  await chat?.dispose()
  node.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** A repository whose sum is wrong. */
function broken(): void {
  writeFileSync(join(folder, 'sum.mjs'), 'export const sum = (a, b) => a - b\n')
  const check =
    "import { sum } from './sum.mjs'\nconsole.log(sum(1, 2) === 3 ? 'the sum is right' : 'the sum is wrong')\n"
  writeFileSync(join(folder, 'check.mjs'), check)
}

/** What a model that can do it does next. */
function repair(results: readonly string[]): Said {
  const file_path = join(folder, 'sum.mjs')
  const steps: Said[] = [
    {
      reasoning: 'I have to see it.',
      text: 'I read it.',
      calls: [{ name: 'Read', arguments: { file_path } }],
    },
    { calls: [{ name: 'Edit', arguments: { file_path, old_string: 'a - b', new_string: 'a + b' } }] },
    { calls: [{ name: 'Bash', arguments: { command: 'node check.mjs', description: 'Checks it' } }] },
    { text: `Repaired: ${results.at(-1)}` },
  ]
  return steps[Math.min(results.length, 3)]!
}

/** The lines of the guide, as somebody pastes them who has this model. */
function guide({ url, model, key }: { url: string; model: string; key: string }): string {
  const page = readFileSync(join(root, 'docs/guides/claude-code.md'), 'utf8')
  const [, lines = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(page) ?? []
  return lines
    .replace('http://127.0.0.1:8081', url)
    .replace('$WANDB_API_KEY', key)
    .replaceAll('my-model', model)
}

it('Claude Code repairs a file, as the guide says', async () => {
  broken()
  node.script = scriptedModel(({ tools, results }) =>
    tools.includes('Read') ? repair(results) : { text: 'A title' },
  )
  const headers = "export ANTHROPIC_CUSTOM_HEADERS='x-heddle-project: me/session'"
  const lines = guide({ url: chat.url, model: 'coder', key: chat.server.key })
  const script = `cd ${folder}\ngit init -q .\n${headers}\n${lines}`
  expect(await runText(chat.server, 'sh', script, {}, 180, placeOf('command-line'))).toContain(
    'Repaired: the sum is right',
  )
  expect(readFileSync(join(folder, 'sum.mjs'), 'utf8')).toContain('a + b')
  const calls = await until('its completions to be logged', async () => {
    const found = await chat.server.api.calls('me/session', {})
    return found.length >= 4 && found
  })
  for (const { attributes } of calls) expect(attributes).toMatchObject({ interface: 'messages' })
})

it('calls the tools that `heddle setup` names', async () => {
  node.script = scriptedModel(({ tools, results }) => {
    const name = tools.find((tool) => tool === 'mcp__heddle__find_projects')
    if (name === undefined) return { text: 'A title' }
    if (results.length === 0) return { calls: [{ name, arguments: { name_contains: 'session' } }] }
    return { text: `Found: ${results.at(-1)}` }
  })
  const lines = guide({ url: chat.url, model: 'coder', key: chat.server.key })
  const exports = lines.slice(0, lines.indexOf('claude -p'))
  const script = `cd ${folder}
node ${main} setup claude --url ${chat.server.url}
${exports}
claude -p 'Which projects are there?' --mcp-config .mcp.json --allowedTools mcp__heddle`
  // Else its first question may go out before the tools are known.
  const env = { WANDB_API_KEY: chat.server.key, MCP_CONNECTION_NONBLOCKING: 'false' }
  const printed = await runText(chat.server, 'sh', script, env, 180, placeOf('command-line'))
  expect(printed).toMatch(/Found: .*me\/session/s)
})

it('its agent SDK repairs a file, too', async () => {
  broken()
  node.script = scriptedModel(({ tools, results }) =>
    tools.includes('Read') ? repair(results) : { text: 'A title' },
  )
  const program = `
import asyncio
from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query


async def main():
    options = ClaudeAgentOptions(model='coder', cwd=${JSON.stringify(folder)}, allowed_tools=['Read', 'Edit', 'Bash'])
    async for message in query(prompt='Repair sum.mjs.', options=options):
        if isinstance(message, ResultMessage):
            print(message.subtype, message.result)


asyncio.run(main())
`
  const env = { ANTHROPIC_BASE_URL: chat.url, ANTHROPIC_API_KEY: chat.server.key }
  const printed = await runText(chat.server, 'python', program, env, 180, placeOf('claude-agent-sdk'))
  expect(printed).toContain('success Repaired: the sum is right')
})

it('what Claude Code sends gets through a real engine, and its session is trained on', async () => {
  const real = await ChatServer.start({ env: { HEDDLE_MODEL: longDemoModel(folder) } })
  try {
    const lines = guide({ url: real.url, model: 'demo', key: real.server.key })
    const headers =
      "export ANTHROPIC_CUSTOM_HEADERS='x-heddle-project: me/session\nx-heddle-keep-token-ids: true'"
    const script = `cd ${folder}\nexport CLAUDE_CODE_MAX_OUTPUT_TOKENS=20\n${headers}
${lines.trimEnd()} --output-format json`
    const result = JSON.parse(
      await runText(real.server, 'sh', script, {}, 300, placeOf('command-line')),
    ) as object
    expect(result).toMatchObject({ type: 'result', usage: { output_tokens: expect.any(Number) } })
    await trainOnSessions(real.server, 'me/session')
  } finally {
    await real.dispose()
  }
}, 1_800_000)
