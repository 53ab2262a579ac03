/**
 * Data folders of older releases and commits, one archive each (docs/releasing.md), are upgraded and never refused: what
 * they answered is what this one answers of them. Answers may hold more by now.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complete, v2 } from '../support/calls.js'
import { dataFolder } from '../support/folder.js'
import { root } from '../support/root.js'
import { Server } from '../support/server.js'

interface Answered {
  key: string
  asked: { path: string; body: unknown; lines?: object[]; text?: string }[]
}

const archives = join(root, 'test/e2e/data-folders')

describe.each(readdirSync(archives))('a data folder of %s', (archive) => {
  const folder = mkdtempSync(join(dataFolder(), 'heddle-upgrade-'))
  execFileSync('tar', ['-xzf', join(archives, archive), '-C', folder])
  const { key, asked }: Answered = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'))
  let server: Server
  beforeAll(async () => {
    server = await Server.start({ dataDir: join(folder, 'data') })
  })
  afterAll(async () => {
    await server?.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  /** By a key that the folder holds. */
  async function ask(path: string, body: unknown): Promise<string> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), headers })
    const text = await answer.text()
    expect([answer.status, path, text]).toEqual([200, path, text])
    return text
  }

  it.each(asked)('answers $path as before', async ({ path, body, lines, text }) => {
    const said = await ask(path, body)
    if (text !== undefined) expect(said).toBe(text)
    else expect(parsed(said)).toMatchObject(lines!)
  })

  it('has its tables brought up to date, takes more, and is opened again', async () => {
    const call = complete('acme/kept', { op_name: 'after' })
    await ask(v2('acme/kept', 'calls/complete'), { batch: [call] })
    await server.stop()
    server = await Server.start({ dataDir: server.dataDir })
    for (const { path, body, lines } of asked)
      if (path === '/call/read') expect(parsed(await ask(path, body))).toMatchObject(lines!)
    const [{ call: read }] = parsed(await ask('/call/read', { project_id: 'acme/kept', id: call.id })) as [
      { call: object },
    ]
    expect(read).toMatchObject({ op_name: 'after' })
  })
})

function parsed(text: string): object[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
