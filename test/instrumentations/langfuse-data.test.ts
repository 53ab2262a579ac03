/** Langfuse's SDKs, each as a process of its own, make datasets and experiments; what other clients see. */
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
  /** the items of each run, and the mean of their scores, or of those that are all 1 */
  runs: Record<string, [number, number | null]>
  created: string
  changed: [object, number]
  archived: [string, object]
  description: string
  items: [string, { a: number }, number][]
  problems?: string[]
  /** the items of each run of the dataset, as the SDK reads them */
  read?: Record<string, number>
  /** runs with a score of their own: the share of items that are right */
  shared?: string[]
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

it.each(CASES)(
  '%s: a dataset is one of ours, and an experiment over it an evaluation',
  async (_, run, name, gone) => {
    const project = freshProject()
    const { problems = [], read = {}, shared = [], runs, ...found } = await run(project)
    expect(problems).toEqual([])
    const items = left(gone)
    expect(found).toEqual({
      ...{ created: name, description: 'sums', items },
      changed: [{ a: 0, b: 1 }, 100],
      archived: ['ARCHIVED', { a: 1, b: 1 }],
    })
    const rows = await until('the version with all changes', async () => {
      const some = await rowsOf(project)
      const changed = some.some(({ id, expected_output }) => id === 'item-0' && expected_output === 100)
      return some.length === items.length && changed ? some : undefined
    })
    expect(rows.map(({ id, input, expected_output }) => [id, input, expected_output]).sort()).toEqual(items)

    for (const [run, count] of Object.entries(read)) expect([run, count]).toEqual([run, runs[run]![0]])
    const compared = await until('all runs, with all that their items became', async () => {
      const all = await comparisonOf(project)
      return all.length === Object.keys(runs).length && all.every(({ mean }) => mean !== null)
        ? all
        : undefined
    })
    for (const { name, trials, mean, row, output, share } of compared) {
      if (shared.includes(name)) expect([name, share]).toEqual([name, mean])
      expect([name, trials, mean]).toEqual([name, runs[name]![0], expect.closeTo(runs[name]![1] ?? 1)])
      const { a, b } = row.input
      expect([name, output]).toEqual([name, name === 'times two' ? a * 2 : a + b])
    }
  },
)

/** The runs of all evaluations of a project that have ended, with their mean and one of their rows. */
async function comparisonOf(project: string) {
  const lines = await server.api.get(`/v2/${project}/evaluation_runs`)
  const runs = lines.text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
  if (runs.length === 0 || runs.some(({ status }) => status !== 'completed')) return []
  return Promise.all(
    runs.map(async ({ evaluation_run_id: id, model }) => {
      const asked = { evaluation_run_ids: [id], include_raw_data_rows: true, include_summary: true }
      const found = (await server.api.ok(`/v2/${project}/eval_results/query`, asked)) as unknown as Results
      const [one] = found.summary.evaluations
      const [root] = await server.api.calls(project, { filter: { call_ids: [id] } })
      const scored = one!.scorer_stats.every(({ trial_count }) => trial_count === one!.trial_count)
      return {
        ...{ name: String(model), trials: one!.trial_count, share: (root!.output as Row).share },
        mean: scored ? (one!.scorer_stats[0]?.numeric_mean ?? null) : null,
        ...{
          row: found.rows[0]!.raw_data_row,
          output: found.rows[0]!.evaluations[0]!.trials[0]!.model_output,
        },
      }
    }),
  )
}

interface Results {
  rows: {
    raw_data_row: { input: { a: number; b: number } }
    evaluations: { trials: { model_output: number }[] }[]
  }[]
  summary: {
    evaluations: {
      trial_count: number
      scorer_stats: { trial_count: number; numeric_mean: number | null }[]
    }[]
  }
}

it('the programs of the guide run', async () => {
  const guide = readFileSync(join(root, 'docs/guides/from-langfuse.md'), 'utf8')
  const project = freshProject()
  const outputs = ['Datasets', 'Experiments'].map((title) => {
    const [, program = ''] =
      new RegExp(`## ${title}[\\s\\S]*?\`\`\`python\\n([\\s\\S]*?)\`\`\``).exec(guide) ?? []
    return runText(server, 'python', program, settings(project, ''), 120, PYTHON[5])
  })
  const [items, results] = await Promise.all(outputs)
  expect(items!.trim().split('\n').sort()).toEqual([
    "{'country': 'France'} Paris",
    "{'country': 'Italy'} Rome",
  ])
  expect(results!.trim()).toBe('3')
})
