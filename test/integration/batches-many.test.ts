/** A batch of many lines, with lines among them that are wrong or end engines. HEDDLE_BATCH_LINES: how many. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { status } from '@grpc/grpc-js'
import { expect, it } from 'vitest'
import { insertKey } from '../../domain/auth/key-table.js'
import { openArtifacts } from '../../platform/artifacts/open.js'
import { sharedTestEngine } from '../../platform/testing/engine.js'
import { events, ScriptedNode } from '../../proto/heddle/node/v1/testing/scripted-node.js'
import { until } from '../support/until.js'
import { ChatStack } from './testing/chat-stack.js'

const LINES = Number(process.env.HEDDLE_BATCH_LINES ?? 150)
const ENGINE_DIED = events.error('ENGINE_DIED', status.UNAVAILABLE, 'The engine ended.')

/** What is wrong with a line, by the last digits of its number. */
const WRONG: Record<number, (line: Line) => string> = {
  7: () => 'no JSON',
  23: (line) => JSON.stringify({ ...line, custom_id: undefined }),
  41: (line) => JSON.stringify({ ...line, body: { ...line.body, temperature: 'hot' } }),
  68: (line) => JSON.stringify({ ...line, body: { ...line.body, model: 'artifact:///acme/p/nobody' } }),
  90: (line) => JSON.stringify({ ...line, body: { ...line.body, messages: said('poison') } }),
}
interface Line {
  custom_id?: string
  method: string
  url: string
  body: Record<string, unknown>
}
interface Batch {
  id: string
  status: string
  output_file_id: string
  error_file_id: string
  request_counts: object
}

const said = (content: string) => [{ role: 'user', content }]
const lineOf = (at: number): string => {
  const body = { model: 'scripted', messages: said(`line ${at}`) }
  const line: Line = { custom_id: `r${at}`, method: 'POST', url: '/v1/chat/completions', body }
  return WRONG[at % 100]?.(line) ?? JSON.stringify(line)
}

it('answers each of its lines once, in their order', { timeout: 3_600_000 }, async () => {
  const engine = await sharedTestEngine()
  const store = await engine.migrated('batches_many')
  const folder = mkdtempSync(join(tmpdir(), 'heddle-batches-'))
  await insertKey(store, {
    ...{ hash: 'tester', keyId: 'tester', userId: 'tester', username: 'tester', label: '' },
    grants: [{ scope: 'acme', right: 'write' }],
  })
  const nodes = [new ScriptedNode({ slots: 16 }), new ScriptedNode({ slots: 16 })]
  for (const node of nodes) {
    const { script } = node
    node.script = (call, of) => {
      if (!call.request.chat?.messagesJson.includes('poison')) return script(call, of)
      call.write(ENGINE_DIED)
      call.end()
    }
  }
  const storage = { artifacts: openArtifacts(folder), root: folder }
  const stack = await ChatStack.start(nodes, { store, storage, fileLimit: 0 })
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${stack.url}/v1${path}`, {
      ...init,
      headers: { authorization: 'Bearer tester', ...init.headers },
    })
    expect(answer.status, path).toBe(200)
    return answer
  }
  try {
    const began = performance.now()
    const form = new FormData()
    form.set('purpose', 'batch')
    const content = Array.from({ length: LINES }, (_, at) => lineOf(at)).join('\n')
    form.set('file', new Blob([content]), 'lines.jsonl')
    const file = (await (await ask('/files', { method: 'POST', body: form })).json()) as { id: string }
    const asked = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' }
    const headers = { 'content-type': 'application/json' }
    const made = (await (
      await ask('/batches', { method: 'POST', headers, body: JSON.stringify(asked) })
    ).json()) as Batch
    const done = await until(
      'the batch to end',
      async () => {
        const batch = (await (await ask(`/batches/${made.id}`)).json()) as Batch
        return batch.status !== 'validating' && batch.status !== 'in_progress' && batch
      },
      3_500,
      250,
    )
    const wrong = Array.from({ length: LINES }, (_, at) => at).filter((at) => WRONG[at % 100])
    const counts = { total: LINES, completed: LINES - wrong.length, failed: wrong.length }
    expect([done.status, done.request_counts]).toEqual(['completed', counts])
    const results = async (id: string) =>
      (await (await ask(`/files/${id}/content`)).text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    const answers = await results(done.output_file_id)
    expect(answers.map(({ response }) => response.body.choices[0].message.content)).toEqual(
      Array.from({ length: LINES }, (_, at) => at).flatMap((at) => (WRONG[at % 100] ? [] : [`line ${at}`])),
    )
    const failures = await results(done.error_file_id)
    expect(failures.map(({ error, response }) => error?.code ?? response.status_code)).toEqual(
      wrong.map(
        (at) => ({ 7: 'invalid_json_line', 23: 'invalid_custom_id', 41: 422, 68: 404, 90: 500 })[at % 100],
      ),
    )
    if (process.env.HEDDLE_BATCH_LINES)
      process.stdout.write(`${LINES} lines in ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
  } finally {
    await stack.stop()
    rmSync(folder, { recursive: true, force: true })
    await engine.stop()
  }
})
