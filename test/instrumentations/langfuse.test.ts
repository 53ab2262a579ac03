/** What Langfuse's published SDKs do besides tracing, as processes of their own: scores, prompts, reads. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { freshProject } from '../support/ids.js'
import { runPython, runText } from '../support/program.js'
import { root } from '../support/root.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { until } from '../support/until.js'
import { pinnedOf, placeOf } from './places.js'

let server: SharedServer
beforeAll(async () => {
  server = await sharedServer()
})

interface Reported {
  /** what `auth_check` said; undefined: the SDK has none */
  known?: boolean
  problems?: string[]
  trace: string
  span: string
  /** what the SDK read: type, text and value by name; undefined: it reads none */
  found?: Record<string, unknown>
}

/** A prompt as the weave SDKs publish it. */
const WEAVE_PROMPT = {
  ...{ _type: 'StringPrompt', _class_name: 'StringPrompt', _bases: ['Prompt', 'Object', 'BaseModel'] },
  ...{ name: null, description: null, content: 'Dear {name}' },
}

interface Sdk {
  place: string
  /** its package there */
  name: string
  /** of JavaScript: the end of the names of those of its programs in `programs/` that other versions don't share */
  program?: string
}

const SDKS: Record<string, Sdk> = {
  'Python 2': { place: 'langfuse-2', name: 'langfuse' },
  'Python 3': { place: 'langfuse-3', name: 'langfuse' },
  'Python 4': { place: 'langfuse-4', name: 'langfuse' },
  'Python 5': { place: 'quick', name: 'langfuse' },
  'JavaScript 3': { place: 'js', name: 'langfuse', program: '3' },
  'JavaScript 4': { place: 'js', name: 'langfuse-4-client', program: 'js' },
  'JavaScript 5': { place: 'js', name: '@langfuse/client', program: 'js' },
}

async function run<T>(sdk: string, what: string, project: string): Promise<T> {
  const { place, name, program } = SDKS[sdk]!
  const settings = settingsOf(project)
  if (program === undefined) return runPython<T>(server, `langfuse_${what}`, settings, 120, placeOf(place))
  const file = what === 'prompts' ? `langfuse_${what}` : `langfuse_${what}_${program}`
  const text = readFileSync(join(root, `test/instrumentations/programs/${file}.mjs`), 'utf8')
  const imported = text
    .replaceAll("'@langfuse/client'", `'${name}'`)
    .replaceAll("'@langfuse/", `'${name.replace('client', '')}`)
  const output = await runText(server, 'js', imported, settings, 120, placeOf(place))
  return JSON.parse(/^RESULT (.*)$/m.exec(output)![1]!) as T
}

const settingsOf = (project: string) => ({
  LANGFUSE_HOST: server.url,
  LANGFUSE_BASE_URL: server.url,
  LANGFUSE_BASEURL: server.url,
  LANGFUSE_PUBLIC_KEY: project,
  LANGFUSE_SECRET_KEY: server.key,
  // seconds a request may take: its 5 are few beside other tests
  LANGFUSE_TIMEOUT: '60',
})

/** The feedback of a project: type, ref and value. */
async function feedbackOf(project: string): Promise<unknown[][]> {
  const { result } = await server.api.ok('/feedback/query', { project_id: project })
  return (result as Row[]).map((row) => [row.feedback_type, row.weave_ref, (row.payload as Row).value]).sort()
}

describe.each(Object.keys(SDKS))('%s', (sdk) => {
  it('scores a span, its trace and a session, and reads the scores', { timeout: 180_000 }, async () => {
    const project = freshProject()
    const { known = true, problems = [], trace, span, found } = await run<Reported>(sdk, 'scores', project)
    expect([known, problems]).toEqual([true, []])
    // Version 2 for Python has no scores of sessions.
    const hasSessions = sdk !== 'Python 2'
    // Version 5 for Python reads values as they are, the others numbers and texts beside them.
    const asTheyAre = sdk === 'Python 5'
    if (found !== undefined)
      expect(found).toEqual({
        liked: asTheyAre ? ['BOOLEAN', null, true] : ['BOOLEAN', 'True', 1],
        tone: asTheyAre ? ['CATEGORICAL', null, 'warm'] : ['CATEGORICAL', 'warm', 0],
        ...(hasSessions && { helped: ['NUMERIC', null, 0.5] }),
        ...(found.v3 !== undefined && { v3: ['helped', 'liked', 'tone'] }),
      })
    const calls = await server.api.calls(project, { columns: ['id', 'parent_id'] })
    const turn = calls.find(({ parent_id }) => parent_id === null)?.id
    await until('the score of the trace is at its root', async () => {
      const feedback = await feedbackOf(project)
      return feedback.some(([, ref]) => ref === `weave:///${project}/call/${turn}`)
    })
    expect(await feedbackOf(project)).toEqual([
      ...(hasSessions ? [['langfuse.helped', `weave:///${project}/agent_conversation/session-1`, 0.5]] : []),
      ['langfuse.liked', `weave:///${project}/call/${span}`, 1],
      ['langfuse.tone', `weave:///${project}/call/${turn}`, 'warm'],
    ])
    expect(trace).toMatch(/^[\w-]{20,}$/)
  })

  it('publishes prompts, labels and fills them in, and reads those of others', {
    timeout: 180_000,
  }, async () => {
    const project = freshProject()
    await server.api.ok('/obj/create', {
      obj: { project_id: project, object_id: 'elsewhere', val: WEAVE_PROMPT },
    })
    expect(await run(sdk, 'prompts', project)).toEqual({
      first: 1,
      production: 1,
      latest: [2, 'shorter', 'Hi Ann', ['warm']],
      moved: [2, ['b', 'latest', 'production']],
      old: ['Hello {{ name }}, {"a": 1}', 'Hello Ann, {"a": 1}', { model: 'm' }, []],
      chat: [
        ['system', 'Hi Ann Be kind.'],
        ['user', 'Why?'],
      ],
      fallback: 'else 1',
      elsewhere: 'Dear Ann',
      listed: {
        chat: [[1], ['latest', 'production'], []],
        elsewhere: [[1], ['latest'], []],
        [sdk === 'Python 2' ? 'greeting' : 'team/greeting']: [
          [1, 2],
          ['b', 'latest', 'production'],
          ['warm'],
        ],
      },
    })
  })
})

const ASK = [
  ...['GENERATION', 'ask', 'gpt-4o', [{ role: 'user', content: 'hi' }], 'ho'],
  ...[{ input: 3, output: 4 }, 'prod'],
]

it.each([2, 3, 4, 5])('version %i for Python reads what it sent', { timeout: 120_000 }, async (version) => {
  const found = await run<Row>(`Python ${version}`, 'reads', freshProject())
  const first = {
    trace: ['turn', 'q', 'a', version === 2 ? ['ask'] : ['ask', 'turn'], ['liked']],
    traces: [[true, 'turn', 'prod'], 1],
    ...{ session: ['s1', [true]], sessions: [['s1', 'prod']], ask: [ASK], one: 'ask' },
  }
  const newer = { newer: [ASK], rest: [['turn'], null] }
  expect(found).toEqual({
    ...(version < 5 && first),
    ...(version > 2 && newer),
    ...(version > 3 && { waited: true }),
  })
})

interface More {
  references: string[]
  /** what each of the SDK's interfaces for metrics answers */
  metrics: object[][]
}

/** Those that try the rest. */
const MORE = ['Python 3', 'Python 5', 'JavaScript 5']

it.each(MORE)('%s: media, score configs, comments, metrics', async (sdk) => {
  const project = freshProject()
  const { trace, references, metrics, ...found } = await run<Row & More>(sdk, 'more', project)
  const reference = /^@@@langfuseMedia:type=image\/png\|id=[\w-]{22}\|source=\w+@@@$/
  for (const one of references) expect(one).toMatch(reference)
  expect(found).toEqual({
    resolved: references.map(() => true),
    ...(sdk !== 'JavaScript 5' && { media: ['image/png', 70] }),
    config: [
      ...['tone', 'CATEGORICAL'],
      [
        ['warm', 2],
        ['cold', 1],
      ],
    ],
    ...{ configs: [['tone', false]], scores: [['tone', 'warm']] },
    ...{ comments: [['look *here*', 'TRACE']], comment: 'and here' },
  })
  for (const one of metrics) expect(one).toEqual([{ name: 'look', count_count: 1 }])
  // The comments are notes, and the config is a question that annotators can be asked.
  const [call] = await server.api.calls(project, { filter: { trace_ids: [trace] }, include_feedback: true })
  const notes = ((call!.summary as Row).weave as Row).feedback as Row[]
  expect(notes.map(({ payload }) => (payload as Row).note)).toEqual(
    expect.arrayContaining(['look *here*', 'and here']),
  )
  const filter = { base_object_classes: ['AnnotationSpec'] }
  const { objs } = await server.api.ok('/objs/query', { project_id: project, filter })
  expect(objs).toMatchObject([{ val: { name: 'tone', field_schema: { enum: ['warm', 'cold'] } } }])
})

it('the weave SDK reads and fills in the prompts of Langfuse, and the other way round', {
  timeout: 180_000,
}, async () => {
  const project = freshProject()
  await runPython(server, 'weave_prompts', { PROJECT: project })
  const { elsewhere } = await run<Row>('Python 5', 'prompts', project)
  expect(elsewhere).toBe('Dear Ann')
  const { objs } = await server.api.ok('/objs/query', { project_id: project })
  const id = (objs as Row[]).map(({ object_id }) => String(object_id)).find((name) => name.startsWith('team'))
  expect(await runPython(server, 'weave_prompts', { PROJECT: project, READ: `${id}:v0` })).toEqual({
    text: ['StringPrompt', 'Hello Ann, {"a": 1}'],
    chat: [
      'MessagesPrompt',
      [
        { role: 'system', content: expect.stringContaining('Be kind.') },
        { role: 'user', content: 'Why?' },
      ],
    ],
  })
})

it('the program of the guide runs', { timeout: 120_000 }, async () => {
  const project = freshProject()
  const guide = readFileSync(join(root, 'docs/guides/from-langfuse.md'), 'utf8')
  const [, program = ''] = /## Prompts[\s\S]*?```python\n([\s\S]*?)```/.exec(guide) ?? []
  const own = program.replace('acme/assistant', project)
  const said = await runText(server, 'python', own, settingsOf(project), 120, placeOf('quick'))
  expect(said.trim().split('\n')).toEqual(['Hello Ann!', 'Hello Ann!'])
})

it('docs/frameworks says what is tried here', () => {
  const tried = Object.entries(SDKS).map(
    ([sdk, { place, name }]) =>
      `| Langfuse’s SDK ${sdk.split(' ')[1]} for ${sdk.split(' ')[0]} | ${pinnedOf(place, name)} | yes | yes | yes | yes |${MORE.includes(sdk) ? ' yes' : ''} |`,
  )
  const readme = readFileSync(join(root, 'docs/frameworks/README.md'), 'utf8')
  // Datasets and experiments of the same versions are tried in langfuse-data.test.ts.
  const head =
    '| | Tried | Scores | Prompts | Datasets | Experiments | The rest |\n| --- | --- | --- | --- | --- | --- | --- |'
  expect(readme).toContain(`${head}\n${tried.join('\n')}\n`)
})
