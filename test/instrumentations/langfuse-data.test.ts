/** Langfuse's SDKs, each as a process of its own, make datasets; what other clients see of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { freshProject } from '../support/ids.js'
import { runPython, runText } from '../support/program.js'
import { root } from '../support/root.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { until } from '../support/until.js'

let server: SharedServer
beforeAll(async () => {
  server = await sharedServer()
})

interface Found {
  created: string
  changed: [object, number]
  archived: [string, object]
  description: string
  items: [string, { a: number }, number][]
}

const PYTHON = {
  2: '.venv/langfuse-2',
  3: '.venv/langfuse-3',
  4: '.venv/langfuse-4',
  5: '.venv/instrumentations',
}
const JS = readFileSync(join(root, 'test/clients/js-frameworks/langfuse-data.mjs'), 'utf8')

const settings = (project: string, name: string) => ({
  LANGFUSE_BASE_URL: server.url,
  LANGFUSE_BASEURL: server.url,
  LANGFUSE_HOST: server.url,
  LANGFUSE_PUBLIC_KEY: project,
  LANGFUSE_SECRET_KEY: server.key,
  NAME: name,
})

async function ofPython(major: keyof typeof PYTHON, project: string, name: string): Promise<Found> {
  return runPython<Found>(server, 'langfuse_data', settings(project, name), 120, PYTHON[major])
}

async function ofJs(major: string, project: string, name: string): Promise<Found> {
  const env = { ...settings(project, name), MAJOR: major }
  const said = await runText(server, 'js', JS, env, 120, 'js-frameworks')
  return JSON.parse(
    said
      .split('\n')
      .find((line) => line.startsWith('RESULT '))!
      .slice('RESULT '.length),
  ) as Found
}

/** The rows of the newest version of the only dataset. */
async function rowsOf(project: string): Promise<Row[]> {
  const filter = { base_object_classes: ['Dataset'], latest_only: true }
  const { objs } = await server.api.ok('/objs/query', { project_id: project, filter })
  const [{ val }] = objs as [{ val: { rows: string } }]
  const digest = val.rows.split('/').at(-1)
  const { rows } = await server.api.ok('/table/query', { project_id: project, digest })
  return (rows as Row[]).map((row) => row.val as Row)
}

/** What the programs leave of their 24 items. */
const left = (gone: readonly number[]) =>
  Array.from({ length: 24 }, (_, i) => i)
    .filter((i) => !gone.includes(i))
    .map((i): [string, object, number] => [`item-${i}`, { a: i, b: 1 }, i === 0 ? 100 : i + 1])
    .sort(([a], [b]) => (a < b ? -1 : 1))

const CASES = [
  ['Python 2', (project: string) => ofPython(2, project, 'my sums'), 'my sums', [1, 2]],
  ['Python 3', (project: string) => ofPython(3, project, 'my/sums'), 'my/sums', [1, 2]],
  ['Python 4', (project: string) => ofPython(4, project, 'my/sums'), 'my/sums', [1, 2]],
  ['Python 5', (project: string) => ofPython(5, project, 'my/sums'), 'my/sums', [1, 2]],
  ['JavaScript 3', (project: string) => ofJs('3', project, 'my/sums'), 'my/sums', [1]],
  ['JavaScript 4', (project: string) => ofJs('4', project, 'my/sums'), 'my/sums', [1]],
  ['JavaScript 5', (project: string) => ofJs('5', project, 'my/sums'), 'my/sums', [1]],
] as const

it.each(CASES)('%s: a dataset and its items are a dataset of ours', async (_, run, name, gone) => {
  const project = freshProject()
  const { problems = [], ...found } = (await run(project)) as Found & { problems?: string[] }
  expect(problems).toEqual([])
  const items = left(gone)
  expect(found).toEqual({
    ...{ created: name, description: 'sums', items },
    changed: [{ a: 0, b: 1 }, 100],
    archived: ['ARCHIVED', { a: 1, b: 1 }],
  })
  const rows = await until('the version with all changes', async () => {
    const some = await rowsOf(project)
    return some.length === items.length && some[0]?.expected_output === 100 ? some : undefined
  })
  expect(rows.map(({ id, input, expected_output }) => [id, input, expected_output]).sort()).toEqual(items)
})

it('the program of the guide runs', async () => {
  const guide = readFileSync(join(root, 'docs/guides/from-langfuse.md'), 'utf8')
  const [, program = ''] = /```python\n([\s\S]*?)```/.exec(guide) ?? []
  const said = await runText(server, 'python', program, settings(freshProject(), ''), 120, PYTHON[5])
  expect(said.trim().split('\n').sort()).toEqual(["{'country': 'France'} Paris", "{'country': 'Italy'} Rome"])
})
