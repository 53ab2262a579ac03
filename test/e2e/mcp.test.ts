/** Tools for agents: the official client, of both versions of the protocol and by standard input, runs every tool. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, complete, v2 } from '../support/calls.js'
import { main } from '../support/command.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, uuid7 } from '../support/ids.js'
import { createKey } from '../support/keys.js'
import { runText } from '../support/program.js'
import { root } from '../support/root.js'
import { sharedServer } from '../support/shared-server.js'

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: answers of tools are checked member by member
  [name: string]: any
}

const READING = [
  ...['find_projects', 'search_calls', 'read_trace', 'read_call', 'read_conversation', 'stats', 'sql'],
  ...['compare_evaluations', 'read_objects', 'read_training'],
]
const WRITING = ['add_to_dataset', 'add_to_queue', 'give_feedback', 'start_evaluation', 'start_training']

const project = freshProject()
const large = 'ä"\n'.repeat(5000)
const trace = uuid7()
const id = uuid7()
const parent = complete(project, {
  ...{ id, turn_id: id, trace_id: trace },
  op_name: 'agent',
  thread_id: 'talk',
  inputs: { question: 'why?' },
})
const needle = complete(project, {
  ...{ trace_id: trace, parent_id: parent.id, op_name: 'needle', started_at: at(0.1) },
  ...{ inputs: { question: 'where is the Needle?' }, exception: 'ValueError: lost' },
  summary: { usage: { m: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, requests: 1 } } },
})
const steps = Array.from({ length: 10 }, (_, n) =>
  complete(project, {
    ...{ trace_id: trace, parent_id: parent.id, op_name: 'step', inputs: { n }, started_at: at(1 + n) },
    ended_at: at(2 + n),
  }),
)
const runs = ['one', 'two'].map((display_name) =>
  complete(project, { op_name: 'Evaluation.evaluate', display_name }),
)
const calls = [...runs, parent, needle, ...steps, complete(project, { op_name: 'large', inputs: { large } })]

let server: Endpoint
let found: Answer

beforeAll(async () => {
  server = await sharedServer()
  await server.api.ok(v2(project, 'calls/complete'), { batch: calls })
  const text = readFileSync(join(root, 'test/clients/js-frameworks/mcp.mjs'), 'utf8')
  const env = {
    ...{ HEDDLE_URL: server.url, MAIN: main, PROJECT: project, SINCE: at(-60), UNTIL: at(3600) },
    ...{
      WRITER: await createKey(server, project, 'write'),
      READER: await createKey(server, project, 'read'),
    },
    ...{ RUN: String(runs[0]!.id), RUN_TWO: String(runs[1]!.id) },
  }
  const printed = await runText(server, 'js', text, env, 120, 'js-frameworks')
  found = JSON.parse(printed.slice(printed.indexOf('RESULT ') + 'RESULT '.length)) as Answer
})

describe('tools for agents', () => {
  it('are at most fifteen, and say what they do', () => {
    const tools = found.tools as Answer[]
    // More of them, and models choose badly: docs/adr/0045.
    expect(tools.length).toBeLessThanOrEqual(15)
    expect(tools.map(({ name }) => name)).toEqual([...READING, ...WRITING])
    for (const { name, annotations, outputSchema, description } of tools) {
      expect(annotations.readOnlyHint).toBe(READING.includes(name))
      expect(annotations.destructiveHint).toBe(false)
      expect(outputSchema.type).toBe('object')
      expect(description.length).toBeLessThan(300)
    }
    // What a model reads before its first question.
    expect(JSON.stringify(tools.map(({ outputSchema: _, ...tool }) => tool)).length).toBeLessThan(20_000)
  })

  it('speak both versions of the protocol', () => {
    expect(found.versions).toEqual(['2026-07-28', '2025-11-25'])
    expect(found.legacy.names).toEqual([...READING, ...WRITING])
    for (const client of [found.legacy, found.reader, found.stdio])
      expect(client.found.calls).toMatchObject([{ id: needle.id }])
  })

  it('find calls, and go on', () => {
    expect(found.projects.projects).toMatchObject([{ project }])
    expect(found.failed.calls).toMatchObject([
      { id: needle.id, trace_id: trace, op: 'needle', ms: 900, error: 'ValueError: lost', tokens: 7 },
    ])
    expect(found.pages.found.map(({ id }: Answer) => id)).toEqual(steps.map(({ id }) => id).toReversed())
    expect(found.pages.pages).toBe(4)
    expect(found.where.calls).toEqual([])
  })

  it('show a trace as an outline, and a call in full or in parts', () => {
    expect(found.outline.found.map(({ depth, id }: Answer) => [depth, id])).toEqual(
      [parent, needle, ...steps].map(({ id }, i) => [i === 0 ? 0 : 1, id]),
    )
    expect(found.outline.pages).toBeGreaterThan(1)
    expect(found.inFull.value).toMatchObject({ inputs: { question: 'where is the Needle?' } })
    expect(JSON.parse(found.text).inputs).toEqual({ large })
    expect(found.part.value).toBe('where is the Needle?')
    expect(found.compared.differences).toEqual([
      { path: 'question', a: 'where is the Needle?' },
      { path: 'n', b: '0' },
    ])
  })

  it('show conversations and figures', () => {
    expect(found.threads.threads).toMatchObject([{ thread_id: 'talk', turn_count: 1 }])
    expect(found.conversation.turns).toMatchObject([{ trace_id: trace, messages: [{ from: 'user' }, {}] }])
    const byOp = new Map((found.byOp.rows as Answer[]).map((row) => [row.group, row.sum_call_count]))
    expect(byOp.get('step')).toBe(10)
    expect(found.byModel.rows).toMatchObject([{ model: 'm', sum_input_tokens: 3, sum_output_tokens: 4 }])
    expect(found.sql).toEqual({ row_count: 1, rows: [{ calls: 10 }] })
    expect(found.tables.tables.map(({ name }: Answer) => name)).toContain('calls')
    expect(found.bySpanField).toEqual({ rows: [] })
    expect(found.evaluations).toMatchObject({ runs: [{ trials: 0 }, { trials: 0 }], row_count: 0, rows: [] })
  })

  it('add to datasets and queues, and give feedback', async () => {
    expect(found.made.added_rows).toBe(2)
    expect(found.objects.objects).toMatchObject([{ name: 'failures', version: 'v1', ref: found.added.ref }])
    expect(found.dataset.rows).toEqual([
      { inputs: { by: 'hand' } },
      { inputs: needle.inputs, output: null },
      { inputs: { by: 'hand again' } },
    ])
    const { rows } = found.larger as { rows: Answer[] }
    expect(rows.flatMap(({ n }) => n ?? []).sort()).toEqual([0, 1, 2, 3, 4])
    expect(found.queued).toMatchObject({ added_count: 1, duplicates: 0 })
    expect(found.again).toEqual({ ...found.queued, added_count: 0, duplicates: 1 })
    const { result } = await server.api.ok('/feedback/query', { project_id: project })
    expect(result).toMatchObject([{ id: found.feedback.feedback_id, payload: { note: 'look at this' } }])
  })

  it('are refused with our code, and what to do', () => {
    const codes = Object.fromEntries(
      Object.entries(found.errors as Answer).map(([name, one]) => [
        name,
        one.error?.split(':')[0] ?? one.code,
      ]),
    )
    expect(codes).toEqual({
      elsewhere: 'NO_RIGHT',
      arguments: 'INVALID_ARGUMENTS',
      where: 'BAD_WHERE',
      cursor: 'BAD_CURSOR',
      call: 'NOT_FOUND',
      tool: -32602,
      feedback: 'BAD_REQUEST',
      evaluation: 'NOT_FOUND',
      training: 'BAD_REQUEST',
      reward: 'BAD_REQUEST',
      endless: expect.stringMatching(/^(?:LIMIT_HIT|SQL_\w+)$/),
      gigabytes: 'LIMIT_HIT',
    })
    expect(found.training.error).toMatch(/^NO_TRAINING: /)
  })

  it('are no more than the key may', () => {
    expect(found.reader.names).toEqual(READING)
    expect(found.stdio.names).toEqual(READING)
    expect(found.reader.refused.error).toMatch(/^NO_RIGHT: /)
  })

  it('have prompts for the usual tasks', () => {
    expect(found.prompts).toEqual(['why_did_this_fail', 'what_got_worse', 'make_a_dataset'])
    expect(found.prompt[0].content.text).toContain(project)
  })
})
