import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Agent, filesOf } from './agents.js'
import { added, write } from './setup.js'

const folder = mkdtempSync(join(tmpdir(), 'heddle-setup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const AGENTS: Agent[] = ['claude', 'codex', 'cursor', 'vscode']
const [claude, codex, , vscode] = AGENTS.map((agent) => filesOf(agent, 'http://h:1/mcp')[0]!)

describe('the configuration of an agent', () => {
  it('is written with a skill, and is the same the second time', () => {
    for (const agent of AGENTS)
      for (const file of filesOf(agent, 'http://h:1/mcp')) {
        const path = join(folder, agent, file.path)
        expect(write({ ...file, path })).toBe(`wrote ${path}`)
        expect(readFileSync(path, 'utf8')).toBe(file.text)
        expect(write({ ...file, path })).toBe(`${path} is as it should be`)
        // The key is where the agent starts, not in a file that may be committed.
        if (path.endsWith('SKILL.md'))
          expect(file.text).toMatch(/^---\nname: heddle\ndescription: .{50,1000}\n---\n/)
        else expect(file.text).toMatch(/WANDB_API_KEY|\{input:heddle-key\}/)
      }
  })

  it('keeps what is in it', () => {
    const other = { command: 'other', args: ['x'] }
    const before = { top: 1, mcpServers: { other, heddle: { url: 'http://old/mcp' } } }
    const after = JSON.parse(added(claude!, JSON.stringify(before))) as unknown
    const heddle = {
      type: 'http',
      url: 'http://h:1/mcp',
      headers: { Authorization: 'Bearer $' + '{WANDB_API_KEY}' },
    }
    expect(after).toEqual({ top: 1, mcpServers: { other, heddle } })
    const inputs = [{ id: 'mine', type: 'promptString' }]
    expect(JSON.parse(added(vscode!, JSON.stringify({ inputs })))).toMatchObject({
      inputs: [...inputs, { id: 'heddle-key', password: true }],
    })
    const toml = 'model = "m"\n[mcp_servers.other]\nurl = "u"'
    expect(added(codex!, toml)).toBe(
      `${toml}\n\n[mcp_servers.heddle]\nurl = "http://h:1/mcp"\nbearer_token_env_var = "WANDB_API_KEY"\n`,
    )
    expect(added(codex!, added(codex!, toml))).toBe(added(codex!, toml))
  })

  it('stays as it is if it can’t be read', () => {
    for (const text of ['{ // a comment\n}', '[]', '{'])
      expect(() => added(vscode!, text)).toThrow('is not plain JSON, so it stays as it is')
    const path = join(folder, 'file')
    writeFileSync(path, 'x')
    expect(() => write({ ...claude!, path: join(path, 'below') })).toThrow("can't be")
    expect(existsSync(join(path, 'below'))).toBe(false)
  })
})
