/**
 * `make bench`: measures writing, HTTP and reading of the built server through its public interfaces and writes
 * the results. BENCH_CALLS: calls to read among (default 1,000,000). BENCH_ONLY: ingest, http or read.
 * BENCH_NAME: the results' name. BENCH_SECONDS: measured seconds of a write scenario.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../test/support/root.js'
import type { Server } from '../test/support/server.js'
import { measureHttp } from './http.js'
import { measureBaselines, measureIngest, target } from './ingest.js'
import { runLoad } from './load/run-load.js'
import { describeMachine } from './machine.js'
import { family, watchMemory } from './processes.js'
import { fill } from './read/fill.js'
import { measureExport, measureReads } from './read/measure.js'
import { scenarios } from './read/scenarios.js'
import { type Results, report } from './report.js'
import { startSubject } from './subject.js'

const calls = Number(process.env.BENCH_CALLS ?? 1_000_000)
const only = process.env.BENCH_ONLY
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const name = process.env.BENCH_NAME ?? `${short(calls)}-calls`
const INSERTS_PER_SECOND = 20_000

function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}

async function main(): Promise<void> {
  const commit = execFileSync('git', ['-C', root, 'rev-parse', '--short', 'HEAD'], {
    encoding: 'utf8',
  }).trim()
  const results: Results = {
    name,
    date: new Date().toISOString().slice(0, 10),
    command: `${calls === 1_000_000 ? '' : `BENCH_CALLS=${calls} `}${only ? `BENCH_ONLY=${only} ` : ''}make bench`,
    store: process.env.CLICKHOUSE_URL ? 'a ClickHouse server' : 'the embedded engine',
    machine: describeMachine(root, commit),
  }
  if (only === undefined || only === 'ingest') {
    const figures = await withSubject((server) =>
      measureIngest(server, { warmSeconds: 3, seconds, onProgress: say }),
    )
    const baselines = await measureBaselines(4)
    results.ingest = { figures, baselines }
  }
  if (only === 'http') results.http = await withSubject((server) => measureHttp(server, undefined, 5))
  if (only === undefined || only === 'read') await withSubject((server) => measureReading(server, results))
  const file = join(root, 'bench/results', `${results.date}-${name}`)
  mkdirSync(join(root, 'bench/results'), { recursive: true })
  writeFileSync(`${file}.md`, report(results))
  writeFileSync(`${file}.json`, `${JSON.stringify(results, null, 1)}\n`)
  process.stdout.write(report(results))
  say(`written to ${file}.md and .json`)
}

async function withSubject<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const server = await startSubject()
  try {
    return await work(server)
  } finally {
    await server.dispose()
  }
}

async function measureReading(server: Server, results: Results): Promise<void> {
  const filled = await fill(server, calls, say)
  const limits = { requests: 100, seconds: 4 }
  const refs = await opRefs(server, filled.big.name)
  const list = scenarios(filled, refs)
  const stopWatching = watchMemory(family(server.pid))
  say('reading, quiet')
  const quiet = await measureReads(server, list, limits, true)
  results.http = await measureHttp(server, filled.big.name, 5)
  const exported = await measureExport(server, filled.big.name, 400_000)
  say(`reading, under ${INSERTS_PER_SECOND} inserted rows a second`)
  const { underInserts, insertedPerSecond } = await whileInserting(server, filled.big.name, () =>
    measureReads(server, list, limits, false),
  )
  results.read = {
    calls: filled.calls,
    openCalls: filled.openCalls,
    bigCalls: filled.big.calls,
    searchedCalls: filled.searched.calls,
    fillSeconds: filled.seconds,
    insertsPerSecond: INSERTS_PER_SECOND,
    peakBytes: stopWatching(),
    quiet,
    underInserts,
    insertedPerSecond,
    export: exported,
  }
}

/** Inserts into the project that is read, on a clock, for as long as the work takes. */
async function whileInserting<T>(
  server: Server,
  project: string,
  work: () => Promise<T>,
): Promise<{ underInserts: T; insertedPerSecond: number }> {
  const stop = new AbortController()
  const load = runLoad(
    {
      ...target(server, project),
      spans: 1_000,
      encoding: 'identity',
      connections: 16,
      warmSeconds: 2,
      seconds: 600,
      rate: INSERTS_PER_SECOND,
      firstSerial: 2_000_000_000,
      seed: 11,
    },
    { stop: stop.signal },
  )
  try {
    const underInserts = await work()
    stop.abort()
    const { acknowledgedSpans, seconds: took } = await load
    return { underInserts, insertedPerSecond: acknowledgedSpans / took }
  } finally {
    stop.abort()
    await load.catch(() => undefined)
  }
}

/** The op names of spans, as the server wrote them. */
async function opRefs(server: Server, project: string): Promise<string[]> {
  const rows = await server.api.calls(project, {
    limit: 1_000,
    columns: ['op_name'],
    sort_by: [{ field: 'started_at', direction: 'asc' }],
  })
  return [...new Set(rows.map((row) => String(row.op_name)))].filter((ref) => ref !== 'open step')
}

function short(count: number): string {
  return count >= 1e6 ? `${count / 1e6}M` : `${count / 1e3}k`
}

await main()
