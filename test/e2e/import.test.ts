/** `heddle import`: from a file and from another Heddle, killed in the middle and run again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dig, type Row } from '../support/api.js'
import { at, complete, halves, v2 } from '../support/calls.js'
import { main, run } from '../support/command.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, uuid7 } from '../support/ids.js'
import { exportRequest } from '../support/otlp.js'
import { Server } from '../support/server.js'
import { sharedServer } from '../support/shared-server.js'
import { Stub } from '../support/stub.js'
import { until } from '../support/until.js'

const folder = mkdtempSync(join(tmpdir(), 'heddle-import-'))
let from: Server
let to: Endpoint
let others: Stub
beforeAll(async () => {
  ;[from, to, others] = await Promise.all([Server.start(), sharedServer(), Stub.start('other-products')])
})
afterAll(async () => {
  await others.stop()
  await from.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs `heddle` against `server`, in a folder of the tests. */
const heddle = (server: Endpoint, ...args: string[]) =>
  run(process.execPath, [main, ...args], { env: environment(server), cwd: folder })

function environment(server: Endpoint): NodeJS.ProcessEnv {
  const keys = { PHOENIX_API_KEY: 'px-key', LANGFUSE_PUBLIC_KEY: 'pk-1', LANGFUSE_SECRET_KEY: 'sk-1' }
  return { ...server.env, WANDB_API_KEY: from.key, ...keys }
}

/** Ends `heddle <args>` by SIGKILL as soon as its checkpoint says that some of `what` are stored. */
async function killed(what: string, ...args: string[]): Promise<void> {
  const checkpoint = join(folder, 'checkpoint.json')
  const child: ChildProcess = spawn(process.execPath, [main, ...args, '--checkpoint', checkpoint], {
    env: environment(to),
    cwd: folder,
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  await until(`some ${what} to be stored`, () => {
    if (child.exitCode !== null) throw new Error('it ended before')
    return (
      existsSync(checkpoint) && Number(dig(JSON.parse(readFileSync(checkpoint, 'utf8')), 'counts', what)) > 0
    )
  })
  child.kill('SIGKILL')
  expect(await exited).toEqual([null, 'SIGKILL'])
}

/** Calls as they are read, without who wrote them and where. */
async function lines(server: Endpoint, project: string): Promise<string[]> {
  const { status, out, err } = await heddle(server, 'export', project, '--out', '-')
  expect([status, err]).toEqual([0, expect.any(String)])
  return out
    .replaceAll(project, 'any/project')
    .replaceAll(/"(platform|wb)_user_id":"[^"]*"/g, '"$1_user_id":"me"')
    .trimEnd()
    .split('\n')
}

/** Calls of every kind: with every field, refs, numbers that a double can't hold, wide, running, of a span. */
async function fill(project: string): Promise<void> {
  const thread = { thread_id: 'a thread', turn_id: uuid7() }
  const run = { wb_run_id: 'run-1', wb_run_step: 3, wb_run_step_end: 4 }
  const calls = [
    complete(project, { display_name: 'shown', exception: 'ValueError: no', ...thread, ...run }),
    complete(project, { parent_id: uuid7(), inputs: { self: `weave:///${project}/object/o:abc` } }),
    complete(project, { output: 'x'.repeat(1_100_000), summary: { usage: { m: { input_tokens: 1 } } } }),
    complete(project, { op_name: `weave:///${project}/op/named:v1` }),
  ]
  await from.api.ok(v2(project, 'calls/complete'), { batch: calls })
  const exact = JSON.stringify(complete(project, { inputs: 0 })).replace(
    '"inputs":0',
    '"inputs":{"n":12345678901234567890,"f":1.0}',
  )
  await from.api.ok(v2(project, 'calls/complete'), `{"batch":[${exact}]}`, {
    'content-type': 'application/json',
  })
  await from.api.ok('/call/start', { start: halves(complete(project)).start })
  const span = exportRequest({
    spans: [{ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), attributes: { a: 1 } }],
  })
  const headers = { 'content-type': 'application/x-protobuf', project_id: project }
  expect((await from.api.post('/otel/v1/traces', span, headers)).status).toBe(200)
}

describe('lines of an export', () => {
  it('become the same calls again, with their feedback', async () => {
    const [source, target] = [freshProject(), freshProject()]
    await fill(source)
    const [first] = await from.api.calls(source)
    const feedback = { feedback_type: 'my-own', payload: { score: 1.0 }, creator: 'eve' }
    const weave_ref = `weave:///${source}/call/${first!.id}`
    await from.api.ok('/feedback/create', { project_id: source, weave_ref, ...feedback })
    const file = join(folder, 'calls.jsonl')
    await heddle(from, 'export', source, '--out', file, '--feedback')
    const ended = await heddle(to, 'import', 'jsonl', file, target)
    expect([ended.status, ended.err]).toEqual([0, expect.stringContaining(`imported 7 calls into ${target}`)])
    const exported = await lines(to, target)
    expect(exported).toEqual(await lines(from, source))
    expect(exported.some((line) => line.length > 1_100_000)).toBe(true)
    const { result } = await to.api.ok('/feedback/query', { project_id: target })
    expect(result).toMatchObject([{ ...feedback, weave_ref: `weave:///${target}/call/${first!.id}` }])
    expect(readdirSync(folder).filter((name) => name.startsWith('heddle-import-'))).toEqual([])
  })

  it('are the same as Parquet files', async () => {
    const [source, target] = [freshProject(), freshProject()]
    await fill(source)
    const [first] = await from.api.calls(source)
    const feedback = { feedback_type: 'my-own', payload: { score: 1.0 }, creator: 'eve' }
    const weave_ref = `weave:///${source}/call/${first!.id}`
    await from.api.ok('/feedback/create', { project_id: source, weave_ref, ...feedback })
    const place = join(folder, 'files')
    const written = await heddle(from, 'export-files', place, '--project', source)
    expect([written.status, written.out]).toEqual([
      0,
      expect.stringMatching(/^\d+ files with 8 rows written/),
    ])
    const ended = await heddle(to, 'import', 'parquet', place, target, '--source', source)
    expect([ended.status, ended.err]).toEqual([
      0,
      expect.stringContaining(`imported 7 calls, 1 feedback into ${target}`),
    ])
    expect(await lines(to, target)).toEqual(await lines(from, source))
    const { result } = await to.api.ok('/feedback/query', { project_id: target })
    expect(result).toMatchObject([{ ...feedback, weave_ref: `weave:///${target}/call/${first!.id}` }])
    const [calls = ''] = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.parquet'),
    )
    const whole = readFileSync(join(place, calls))
    // In the middle, and what is said of it at the end.
    for (const [damaged, problem] of [
      [Buffer.concat([whole.subarray(0, 40), Buffer.alloc(400), whole.subarray(440)]), 'is damaged: '],
      [whole.subarray(0, -9), 'is not a Parquet file: '],
    ] as const) {
      writeFileSync(join(place, calls), damaged)
      const refused = await heddle(to, 'import', 'parquet', place, freshProject(), '--source', source)
      expect([refused.status, refused.err]).toEqual([1, expect.stringContaining(`${calls} ${problem}`)])
    }
    const nowhere = await heddle(to, 'import', 'parquet', folder, target, '--source', source)
    expect([nowhere.status, nowhere.err]).toEqual([2, expect.stringContaining(`no calls of ${source} in`)])
  })

  it('are neither lost nor doubled by a kill', async () => {
    const [source, target] = [freshProject(), freshProject()]
    const file = join(folder, 'many.jsonl')
    const ids = Array.from({ length: 30_000 }, () => uuid7())
    const calls = ids.map((id, i) =>
      JSON.stringify(complete(source, { id, started_at: at(i), ended_at: at(i) })),
    )
    writeFileSync(file, calls.join('\n'))
    const words = ['import', 'jsonl', file, target]
    await killed('calls', ...words)
    const again = await heddle(to, ...words, '--checkpoint', 'checkpoint.json')
    expect(again.err).toContain('going on from checkpoint.json')
    expect(again.err).toContain(`imported 30,000 calls into ${target}`)
    expect(await to.api.count(target)).toBe(30_000)
    const found = (await to.api.calls(target, { columns: ['id'] })).map(({ id }) => id)
    expect(found.sort()).toEqual(ids.sort())
    expect(existsSync(join(folder, 'checkpoint.json'))).toBe(false)
  })

  it('that are refused are told, and harm no others', async () => {
    const target = freshProject()
    const file = join(folder, 'refused.jsonl')
    const bad = complete(target, { display_name: 'x'.repeat(2000) })
    const all = [complete(target), bad, complete(target)]
    writeFileSync(file, all.map((call) => `${JSON.stringify(call)}\n`).join(''))
    const { status, err } = await heddle(to, 'import', 'jsonl', file, target)
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(
        /read 3 calls for .*; 1 record was refused, the rest is imported:\n {2}display_name: .* \(such as /,
      ),
    ])
    expect(await to.api.count(target)).toBe(2)
  })

  it.each([
    ['no JSON', '{"id":', /line 1 of .* is not a call: /],
    ['no call', '{"id":"a"}', /line 1 of .* is not a call: it has no trace_id/],
    ['without end', '', /line 2 of .* is longer than 256 MiB/],
  ])('are not %s', async (what, text, problem) => {
    const file = join(folder, 'bad.jsonl')
    writeFileSync(file, `${text}\n`)
    if (what === 'without end') truncateSync(file, 300 << 20)
    const { status, err } = await heddle(to, 'import', 'jsonl', file, freshProject())
    expect([status, err]).toEqual([1, expect.stringMatching(problem)])
  })
})

describe('a project of another Heddle', () => {
  const rows = Array.from({ length: 12_000 }, (_, i) => ({ question: `q${i}`, answer: i }))
  const digests = async (server: Endpoint, project: string) => {
    const { objs } = await server.api.ok('/objs/query', { project_id: project })
    return (objs as Row[])
      .map(({ object_id, digest, version_index }) => [object_id, digest, version_index])
      .sort()
  }

  /** A dataset with a table, an evaluation that refers to it, two versions of a model with a file, calls, feedback. */
  async function publish(project: string): Promise<void> {
    const create = async (object_id: string, val: object) => {
      const { digest } = await from.api.ok('/obj/create', { obj: { project_id: project, object_id, val } })
      return `weave:///${project}/object/${object_id}:${digest}`
    }
    const form = new FormData()
    form.append('project_id', project)
    form.append('file', new Blob(['print(1)']), 'obj.py')
    const headers = { authorization: from.api.authorization.authorization! }
    const made = await fetch(`${from.url}/file/create`, { method: 'POST', body: form, headers })
    const { digest: file } = (await made.json()) as { digest: string }
    const { digest: table } = await from.api.ok('/table/create', { table: { project_id: project, rows } })
    const dataset = await create('dataset', { _type: 'Dataset', rows: `weave:///${project}/table/${table}` })
    await create('model', { temperature: 1 })
    await create('model', { _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: { 'obj.py': file } })
    const evaluation = await create('evaluation', { dataset })
    const call = complete(project, { inputs: { evaluation } })
    await from.api.ok(v2(project, 'calls/complete'), { batch: [call] })
    const weave_ref = `weave:///${project}/call/${call.id}`
    const feedback = { weave_ref, feedback_type: 'platform.note.1', payload: { note: 'good' } }
    await from.api.ok('/feedback/create', { project_id: project, ...feedback })
  }

  it('comes with equal digests under the same name', async () => {
    const project = freshProject()
    await publish(project)
    await fill(project)
    const ended = await heddle(to, 'import', 'weave', project, '--from', from.url)
    expect([ended.status, ended.err]).toEqual([
      0,
      // The op of the span is one.
      expect.stringContaining(`imported 5 objects, 8 calls, 1 feedback into ${project}`),
    ])
    expect(await lines(to, project)).toEqual(await lines(from, project))
    expect(await digests(to, project)).toEqual(await digests(from, project))
    const file = (await from.api.ok('/objs/query', { project_id: project })).objs as Row[]
    const digest = file.map(({ val }) => dig(val, 'files', 'obj.py')).find((one) => one !== undefined)
    const content = await to.api.post('/file/content', { project_id: project, digest })
    expect(content.text).toBe('print(1)')
    const { result } = await to.api.ok('/feedback/query', { project_id: project })
    expect(result).toMatchObject([{ payload: { note: 'good' } }])
  })

  it('has refs that lead to what came along under another name', async () => {
    const [source, target] = [freshProject(), freshProject()]
    await publish(source)
    expect((await heddle(to, 'import', 'weave', source, target, '--from', from.url)).status).toBe(0)
    const [call] = await to.api.calls(target, {
      expand_columns: ['inputs.evaluation', 'inputs.evaluation.dataset'],
    })
    const table = String(dig(call, 'inputs', 'evaluation', 'dataset', 'rows'))
    expect(table).toMatch(`weave:///${target}/table/`)
    const query = { project_id: target, digest: table.split('/').at(-1) }
    expect(await to.api.ok('/table/query_stats', query)).toEqual({ count: rows.length })
    const read = await to.api.ok('/table/query', { ...query, limit: 1, offset: 11_999 })
    expect(dig(read, 'rows', 0, 'val')).toEqual(rows.at(-1))
  })

  it('is neither lost nor doubled by a kill', async () => {
    const project = freshProject()
    // Many begin in one second, and at one instant.
    const calls = Array.from({ length: 20_000 }, (_, i) =>
      complete(project, { started_at: at(Math.floor(i / 50) / 100) }),
    )
    for (let i = 0; i < calls.length; i += 5000)
      await from.api.ok(v2(project, 'calls/complete'), { batch: calls.slice(i, i + 5000) })
    const words = ['import', 'weave', project, '--from', from.url]
    await killed('calls', ...words)
    const again = await heddle(to, ...words, '--checkpoint', 'checkpoint.json')
    expect(again.err).toContain('imported 0 objects, 20,000 calls, 0 feedback')
    expect(await to.api.count(project)).toBe(20_000)
    expect(await lines(to, project)).toEqual(await lines(from, project))
  })

  it.each([
    ['an address without a server', ['--from', 'http://127.0.0.1:9'], 'no answer from http://127.0.0.1:9'],
    [
      'a name that is none',
      ['x', '--from', 'http://127.0.0.1:9'],
      '"x" is not a project; write entity/project',
    ],
  ])('is not %s', async (_, words, problem) => {
    const { status, err } = await heddle(
      to,
      'import',
      'weave',
      ...(words.length > 2 ? [] : ['a/b']),
      ...words,
    )
    expect(status).not.toBe(0)
    expect(err).toContain(problem)
  })
})

describe('a project of Phoenix', () => {
  const words = (project: string) => ['import', 'phoenix', 'shop', project, '--from', `${others.url}/phoenix`]

  it('comes as calls with their annotations, killed or not, from a server that is busy at times', async () => {
    const project = freshProject()
    await killed('spans', ...words(project))
    const { status, err } = await heddle(to, ...words(project), '--checkpoint', 'checkpoint.json')
    expect([status, err]).toEqual([0, expect.stringContaining(`imported 2,500 spans into ${project}`)])
    expect(await to.api.count(project)).toBe(2500)
    const id = '2'.padStart(16, '0')
    const { call } = await to.api.ok('/call/read', { project_id: project, id })
    expect(call).toMatchObject({
      ...{ parent_id: '1'.padStart(16, '0'), thread_id: 'talk', exception: 'too long' },
      attributes: { kind: 'LLM', model: 'gpt-4' },
      inputs: { 'llm.input_messages': [{ message: { role: 'user', content: 'hello 1' } }] },
      summary: { usage: { 'gpt-4': { prompt_tokens: 7, completion_tokens: 5 } } },
    })
    const { result } = await to.api.ok('/feedback/query', { project_id: project })
    expect(result).toMatchObject([
      {
        weave_ref: `weave:///${project}/call/${id}`,
        feedback_type: 'phoenix.quality',
        payload: { label: 'good', score: 0.9, explanation: 'to the point', annotator_kind: 'HUMAN' },
      },
    ])
    // Only roots are turns, however the traces were cut.
    const [thread] = await to.api.lines('/threads/stream_query', { project_id: project })
    expect(thread).toMatchObject({ thread_id: 'talk', turn_count: 250 })
  })

  it('is not one that there is not, nor for a wrong key', async () => {
    const missing = await heddle(to, 'import', 'phoenix', 'none', 'a/b', '--from', `${others.url}/phoenix`)
    expect([missing.status, missing.err]).toEqual([1, expect.stringContaining('not found')])
    const wrong = await heddle(to, 'import', 'phoenix', 'shop', 'a/b', '--from', `${others.url}/langfuse`)
    expect(wrong.err).toContain('does not accept the API key; set PHOENIX_API_KEY in the environment')
  })
})

describe('a source that means harm', () => {
  const [trace, deep] = ['"id":"t1","timestamp":"2026-01-01T00:00:00Z","name":"n"', 50_000]
  const page = (member: string) => `{"data":[{${trace},${member}}],"meta":{"totalPages":1,"totalItems":1}}`
  const answers: Record<string, [number, string, Record<string, string>?]> = {
    inward: [302, '', { location: 'http://127.0.0.1:1/metadata' }],
    terminal: [400, JSON.stringify({ message: '\u001b]0;owned\u0007\u001b[2Jgone\u009b31m' })],
    none: [200, 'null'],
    other: [200, '{"data":5,"meta":{}}'],
    keys: [200, page('"__proto__":{"x":1},"input":{"constructor":1}')],
    deep: [200, page(`"input":${'['.repeat(deep)}${']'.repeat(deep)}`)],
    again: [200, '{"data":[],"meta":{"cursor":"same"}}'],
  }
  let source: HttpServer
  let asked: string[] = []
  beforeAll(async () => {
    source = createServer((request, response) => {
      const name = request.url!.split('/')[1]!
      asked.push(name)
      const [status, body, headers] = answers[name]!
      response.writeHead(status, headers).end(body)
    })
    source.listen(0, '127.0.0.1')
    await once(source, 'listening')
  })
  afterAll(() => source.close())

  it.each([
    ['inward', 1, 'redirects to http://127.0.0.1:1/metadata; if that is right, give its address instead'],
    ['terminal', 1, '\uFFFD]0;owned\uFFFD\uFFFD[2Jgone\uFFFD31m'],
    ['none', 1, 'the source answers what it should not'],
    ['other', 1, 'the source answers what it should not'],
    ['keys', 1, '1 of 1 traces'],
    ['deep', 1, 'nested too deep'],
    ['again', 1, 'the page after this one is this one'],
  ])('gets no further than a sentence: %s', async (name, status, sentence) => {
    asked = []
    const { port } = source.address() as AddressInfo
    const words = ['import', 'langfuse', freshProject(), '--from', `http://127.0.0.1:${port}/${name}`]
    const ended = await heddle(to, ...words)
    expect([ended.status, ended.err]).toEqual([status, expect.stringContaining(sentence)])
    expect(ended.err.trimEnd().split('\n').at(-1)).not.toMatch(/(?!\t)\p{Cc}|^ +at |stack/u)
    expect(asked.length).toBeLessThan(12)
  })
})

describe('a project of Langfuse', () => {
  it.each(['langfuse', 'langfuse-old'])(
    'comes as calls with their scores, killed or not: %s',
    async (name) => {
      const project = freshProject()
      const words = ['import', 'langfuse', project, '--from', `${others.url}/${name}`]
      await killed('observations', ...words)
      const { status, err } = await heddle(to, ...words, '--checkpoint', 'checkpoint.json')
      expect([status, err]).toEqual([
        0,
        expect.stringContaining(
          `imported 250 traces, 2,500 observations, 2 scores into ${project}; skipped 1: scores of sessions and`,
        ),
      ])
      expect(await to.api.count(project)).toBe(2750)
      const uuid = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
      const trace = await to.api.calls(project, { filter: { trace_ids: [uuid(1)] } })
      expect(trace).toHaveLength(11)
      const root = trace.find(({ parent_id }) => parent_id === null)
      expect(root).toMatchObject({
        ...{ thread_id: 'talk', output: { 'langfuse.trace.output': 'an answer' } },
        inputs: { 'langfuse.trace.input': { q: 0 } },
        attributes: { user_id: 'eve', langfuse: { trace: { tags: ['live'], metadata: { tier: 3 } } } },
      })
      const first = trace.find(({ id }) => id === uuid(1))
      expect(first).toMatchObject({ parent_id: root!.id, exception: null })
      const failed = trace.find(({ id }) => id === uuid(2))
      expect(failed).toMatchObject({
        ...{ parent_id: uuid(1), exception: 'too long', output: { 'langfuse.observation.output': 'ho' } },
        inputs: { 'langfuse.observation.input': [{ role: 'user', content: 'hello 1' }] },
        attributes: { kind: 'generation', model: 'gpt-4', model_parameters: { temperature: 0.5 } },
        summary: { usage: { 'gpt-4': { input_tokens: 7, output_tokens: 5, total_cost: 0.25 } } },
      })
      const newer = await to.api.calls(project, {
        filter: { trace_ids: [(11).toString(16).padStart(32, '0')] },
      })
      expect(newer).toHaveLength(11)
      const { result } = await to.api.ok('/feedback/query', { project_id: project })
      const ref = (id: unknown) => `weave:///${project}/call/${id}`
      expect(result).toHaveLength(2)
      expect(result).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ weave_ref: ref(uuid(2)), feedback_type: 'langfuse.quality' }),
          expect.objectContaining({
            weave_ref: ref(root!.id),
            payload: expect.objectContaining({ value: 'bad' }),
          }),
        ]),
      )
    },
  )
})
