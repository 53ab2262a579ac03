/**
 * Codex does a whole task with a model served here: read a file, edit it, run a command, end. The demo model can't think,
 * so a script answers behind the node's protocol.
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

const page = readFileSync(join(root, 'docs/guides/codex.md'), 'utf8')
const node = new ScriptedNode({ model: 'coder', contextLength: 200_000 })
let chat: ChatServer
let folder: string

beforeAll(async () => {
  chat = await ChatServer.start({ env: { HEDDLE_NODES: await node.start() } })
  folder = mkdtempSync(join(tmpdir(), 'heddle-repository-'))
  writeFileSync(join(folder, 'sum.mjs'), 'export const sum = (a, b) => a - b\n')
  const check =
    "import { sum } from './sum.mjs'\nconsole.log(sum(1, 2) === 3 ? 'the sum is right' : 'the sum is wrong')\n"
  writeFileSync(join(folder, 'check.mjs'), check)
})
afterAll(async () => {
  await chat?.dispose()
  node.kill()
  rmSync(folder, { recursive: true, force: true })
})

const EDIT = `apply_patch <<'end'
*** Begin Patch
*** Update File: sum.mjs
@@
-export const sum = (a, b) => a - b
+export const sum = (a, b) => a + b
*** End Patch
end`

/** What a model that can do it does next. */
function repair(results: readonly string[]): Said {
  const run = (cmd: string) => [{ name: 'exec_command', arguments: { cmd } }]
  const steps: Said[] = [
    { reasoning: 'I have to see it.', text: 'I read it.', calls: run('cat sum.mjs') },
    { calls: run(EDIT) },
    { calls: run('node check.mjs') },
    { text: `Repaired: ${/the sum is \w+/.exec(results.at(-1) ?? '')?.[0]}` },
  ]
  return steps[Math.min(results.length, 3)]!
}

/** The lines of the guide, as somebody pastes them whose model is at `url`. */
function guide(url: string, model: string): string {
  const [, lines = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(page) ?? []
  return lines
    .replace('http://127.0.0.1:8081', url)
    .replace('my-model', model)
    .replace('me/first', 'me/session')
}
/** Those of them that write the configuration. */
const configuration = (url: string, model: string) => guide(url, model).split(/^codex/m)[0]!

it('Codex repairs a file, as the guide says', async () => {
  node.script = scriptedModel(({ results }) => repair(results))
  // Its sandbox needs what a container may lack.
  const pointed = guide(chat.url, 'coder').replace(
    '--sandbox workspace-write',
    '--dangerously-bypass-approvals-and-sandbox',
  )
  const script = `cd ${folder}\ngit init -q .\n${pointed.trimEnd()} < /dev/null`
  const env = { WANDB_API_KEY: chat.server.key }
  expect(await runText(chat.server, 'sh', script, env, 180, placeOf('command-line'))).toContain(
    'Repaired: the sum is right',
  )
  expect(readFileSync(join(folder, 'sum.mjs'), 'utf8')).toContain('a + b')
  const calls = await until('its completions to be logged', async () => {
    const found = await chat.server.api.calls('me/session', { sort_by: [{ field: 'started_at' }] })
    return found.length >= 4 && found
  })
  for (const { attributes } of calls) expect(attributes).toMatchObject({ interface: 'responses' })
  // What the model thought came back to it.
  const { messages } = calls.at(-1)!.inputs as { messages: { reasoning?: string }[] }
  expect(messages.map(({ reasoning }) => reasoning)).toContain('I have to see it.')
})

it('calls the tools that `heddle setup` names', async () => {
  node.script = scriptedModel(({ tools, results }) => {
    const name = tools.find((tool) => tool.endsWith('find_projects'))
    if (results.length > 0) return { text: `Found: ${results.at(-1)}` }
    if (name === undefined) return { text: `No tool among ${tools}` }
    return { calls: [{ name, arguments: { name_contains: 'session' } }] }
  })
  const script = `cd ${folder}
${configuration(chat.url, 'coder')}
node ${main} setup codex --url ${chat.server.url}
codex exec --dangerously-bypass-approvals-and-sandbox --skip-git-repo-check 'Which projects are there?' < /dev/null`
  const env = { WANDB_API_KEY: chat.server.key }
  const printed = await runText(chat.server, 'sh', script, env, 180, placeOf('command-line'))
  expect(printed).toMatch(/Found: .*me\/session/s)
})

it('what Codex sends gets through a real engine, and its session is trained on', async () => {
  const real = await ChatServer.start({ env: { HEDDLE_MODEL: longDemoModel(folder) } })
  try {
    const keeping = configuration(real.url, 'demo').replace(
      '"me/session"',
      '"me/session", "x-heddle-keep-token-ids" = "true"',
    )
    const script = `cd ${folder}
${keeping}
codex exec --dangerously-bypass-approvals-and-sandbox --skip-git-repo-check 'Say something.' < /dev/null`
    await runText(real.server, 'sh', script, { WANDB_API_KEY: real.server.key }, 300, placeOf('command-line'))
    await trainOnSessions(real.server, 'me/session')
  } finally {
    await real.dispose()
  }
}, 1_800_000)
