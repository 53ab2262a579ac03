/** Batches by a real model node, as the published SDKs and the guide's script see them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ChatEndpoint, PARIS } from '../support/chat-server.js'
import { finished } from '../support/command.js'
import { runNode } from '../support/program.js'
import { root } from '../support/root.js'
import { sharedChat } from '../support/shared-server.js'

describe('batches', () => {
  let chat: ChatEndpoint
  beforeAll(async () => {
    chat = await sharedChat()
  })

  it('run by the script of the guide, with the Python SDK unchanged', async () => {
    const home = mkdtempSync(join(tmpdir(), 'heddle-test-'))
    const env = {
      ...chat.clientEnv,
      PATH: process.env.PATH,
      HOME: home,
      LANG: 'C.UTF-8',
      NO_PROXY: '127.0.0.1',
    }
    try {
      const script = join(root, 'docs/guides/batches.py')
      const { code, stdout, stderr } = await finished(join(root, '.venv/bin/python'), [script], env, 120)
      expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining(`question-0 ${PARIS}`)])
      expect(stdout).toContain('completed BatchRequestCounts(completed=3, failed=0, total=3)')
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })

  it('work with the JavaScript SDK, unchanged', async () => {
    const found = await runNode<Record<string, unknown>>(chat.server, 'openai-batches', chat.clientEnv)
    expect(found).toMatchObject({
      batch: {
        ...{ object: 'batch', status: 'completed', completion_window: '24h', metadata: { by: 'the SDK' } },
        request_counts: { total: 2, completed: 1, failed: 1 },
      },
      file: { purpose: 'batch', kept: 3600, listed: true },
      answer: ['right', PARIS],
      wrong: ['wrong', 404, 'UNKNOWN_MODEL'],
      ...{ cancelled: true, listed: true, deleted: true, refused: 404 },
    })
  })
})
