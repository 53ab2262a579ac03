/** What agents, scripts and warehouses read: tools by the Model Context Protocol, SQL beside the page that shows the same, Parquet files. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../test/support/command.js'
import type { Server } from '../../test/support/server.js'
import { type Figures, type Row, short } from '../figures.js'
import { spanId, traceId } from '../load/span-body.js'
import type { Chance } from '../load/text.js'
import { family, metered, untilIdle, watchMemory } from '../processes.js'
import { say } from '../subject.js'
import { fill, type Project } from './fill.js'
import { measureReads } from './measure.js'
import type { Scenario } from './scenario.js'

const DAY_MS = 86_400e3
const SEARCH = 150
/** The longest wait for the merges of what was filled: two processors are busy with them for minutes. */
const MERGES_SECONDS = 300
const LIMITS = { requests: 100, seconds: 4 }

/** Fills `server` with `calls` calls, half of them in the project that is read. */
export async function measureTools(server: Server, calls: number): Promise<Figures> {
  const { big } = await fill(server, calls)
  await untilIdle(server, MERGES_SECONDS)
  say('tools')
  const tools = await measureReads(server, toolScenarios(big), LIMITS)
  say('SQL')
  const statements = await measureReads(server, sqlScenarios(big), LIMITS)
  say('files')
  const files = await measureFiles(server, big)
  return [
    '## Tools, SQL and files',
    `A project of ${short(big.calls)} calls among ${short(calls)}, when the merges of the fill are done. Tools of the Model Context Protocol, one request at a time:`,
    tools,
    'SQL beside the page that shows the same:',
    statements,
    '`heddle export-files` of the project by day, beside the running server:',
    files,
  ]
}

const tool = (name: string, args: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: args },
})
const failed = (text: string) => {
  const { result } = JSON.parse(text) as { result?: { isError?: boolean; structuredContent?: object } }
  return result?.structuredContent === undefined || result.isError ? 'the tool failed' : undefined
}

const serialOf = (project: Project, chance: Chance) => project.firstSerial + chance.below(project.calls)

/** The tools that agents call most. */
function toolScenarios(project: Project): Scenario[] {
  const { name } = project
  const search = (what: string, args: (chance: Chance) => object): Scenario => ({
    name: `tool search_calls: ${what}`,
    path: '/mcp',
    body: (chance) => tool('search_calls', { project: name, ...args(chance) }),
    problem: failed,
    target: SEARCH,
  })
  const since = () => new Date(Date.now() - DAY_MS).toISOString()
  return [
    search('the newest 20', () => ({})),
    search('roots of the last day', () => ({ roots_only: true, since: since() })),
    search('a word that few have', (chance) => ({ text: `nobody${chance.bits()}`, since: since() })),
    {
      name: 'tool read_trace: an outline',
      path: '/mcp',
      body: (chance) =>
        tool('read_trace', { project: name, trace_id: traceId(serialOf(project, chance), project.seed) }),
      problem: failed,
      target: SEARCH,
    },
    {
      name: 'tool read_call: one in full',
      path: '/mcp',
      body: (chance) =>
        tool('read_call', { project: name, call_id: spanId(serialOf(project, chance), project.seed) }),
      problem: failed,
      target: SEARCH,
    },
  ]
}

/** Each thing twice: as a page asks for it, and in SQL. */
function sqlScenarios({ name: project_id }: Project): Scenario[] {
  const start = () => new Date(Date.now() - DAY_MS)
  const columns = ['id', 'op_name', 'started_at', 'ended_at', 'exception']
  const lines = (count: number) => (text: string) =>
    text.split('\n').filter((line) => line !== '').length === count ? undefined : 'other rows'
  return [
    {
      name: 'the newest 100 of the last day: page',
      path: '/calls/stream_query',
      body: () => ({
        ...{ project_id, columns, limit: 100, sort_by: [{ field: 'started_at', direction: 'desc' }] },
        query: {
          $expr: { $gte: [{ $getField: 'started_at' }, { $literal: start().getTime() / 1000 }] },
        },
      }),
      expects: 100,
    },
    {
      name: 'the newest 100 of the last day: SQL',
      path: '/sql',
      body: () => ({
        ...{ project_id, format: 'jsonl' },
        query: `SELECT ${columns.join(', ')} FROM calls WHERE started_at >= now() - INTERVAL 1 DAY ORDER BY started_at DESC LIMIT 100`,
      }),
      problem: lines(100),
    },
    {
      name: 'calls, errors and latency of the last day by hour: page',
      path: '/calls/stats',
      body: () => ({
        ...{ project_id, start: start().toISOString(), end: new Date().toISOString(), granularity: 3600 },
        call_metrics: [
          ...[{ metric: 'call_count' }, { metric: 'error_count' }],
          { metric: 'latency_ms', aggregations: ['avg'], percentiles: [95] },
        ],
      }),
    },
    {
      name: 'calls, errors and latency of the last day by hour: SQL',
      path: '/sql',
      body: () => ({
        ...{ project_id, format: 'jsonl' },
        query: `SELECT toStartOfHour(started_at) AS hour, count(), countIf(status = 'error'), avg(latency_ms), quantile(0.95)(latency_ms)
          FROM calls WHERE started_at >= now() - INTERVAL 1 DAY GROUP BY hour ORDER BY hour`,
      }),
    },
  ]
}

/** `heddle export-files` of one project beside a running server: from nothing, and again. */
async function measureFiles(server: Server, { name }: Project): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-files-'))
  try {
    const rows: Row[] = []
    for (const which of ['all', 'again, nothing new']) {
      const { value, seconds, cpuSeconds, peakBytes } = await metered(server, () =>
        exported(server, folder, name),
      )
      rows.push({
        export: which,
        ...{ rows: value.rows, files: value.files, seconds, 'rows/s': value.rows / seconds },
        'MB resident, the command': short(value.peakBytes / 1e6),
        'MB resident, server and engine': short(peakBytes / 1e6),
        'server CPU µs/row': value.rows === 0 ? '' : (cpuSeconds / value.rows) * 1e6,
      })
    }
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function exported(server: Server, folder: string, project: string) {
  const child = spawn(
    process.execPath,
    [main, 'export-files', folder, '--project', project, '--by', 'day', '--json'],
    { env: server.env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const stopWatching = watchMemory(family(child.pid!))
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number]
  const peakBytes = stopWatching()
  if (code !== 0) throw new Error(`the export ended with ${code}`)
  return { ...(JSON.parse(text) as { rows: number; files: number }), peakBytes }
}
