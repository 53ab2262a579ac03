/** Reading, from filling a store to the figures: quiet, and while rows come in. */
import type { Server } from '../../test/support/server.js'
import { type Figures, type Row, short, spread } from '../figures.js'
import { target } from '../ingest.js'
import { sendAll } from '../load/requests.js'
import { runLoad } from '../load/run-load.js'
import { family, watchMemory } from '../processes.js'
import { say } from '../subject.js'
import { converse } from './conversations.js'
import { enrich } from './enriched.js'
import { fill } from './fill.js'
import { measureExport, measureReads } from './measure.js'
import { scenarios } from './scenarios.js'

const INSERTS_PER_SECOND = 20_000
const EXPORTED = 400_000
const LIMITS = { requests: 100, seconds: 4 }
/** Of a page under several readers. */
const SECONDS = 5

/** Fills `server` with `calls` calls and reads among them. */
export async function measureReading(server: Server, calls: number): Promise<Figures> {
  const filled = await fill(server, calls)
  const { big, searched } = filled
  const enriched = await enrich(server, big)
  const conversations = await converse(server, big)
  const list = scenarios(filled, await opRefs(server, big.name), conversations)
  const stopWatching = watchMemory(family(server.pid))
  say('reading, quiet')
  const quiet = await measureReads(server, list, LIMITS)
  const concurrent = await measurePages(server, big.name)
  const exported = await measureExport(server, '/calls/stream_query', {
    project_id: big.name,
    limit: EXPORTED,
  })
  say(`reading, under ${INSERTS_PER_SECOND} inserted rows a second`)
  const { underInserts, insertedPerSecond } = await whileInserting(server, big.name, () =>
    measureReads(server, list, LIMITS, 2),
  )
  const { lines, bytes, seconds, firstByteMs } = exported
  return [
    '## Reading',
    `${short(filled.calls)} calls in 10 projects, and ${short(filled.openCalls)} open ones; pages and counts over a project of ${short(big.calls)}, equality on a path over one of ${short(searched.calls)}. In the first, ${short(enriched.calls)} calls carry refs, and ${short(enriched.feedback)} pieces of feedback were given. Filled through the public interface in ${short(filled.seconds)} s. One request at a time, measured at the client. Peak RSS of all server processes while reading: ${short(stopWatching() / 1e6)} MB.`,
    quiet,
    `The same under ${short(insertedPerSecond)} inserted rows/s:`,
    underInserts,
    'The latest 100 under several readers at once:',
    concurrent,
    `Export: ${short(lines)} calls, ${short(bytes / 1e6)} MB, ${short(lines / seconds)} calls/s, ${short(bytes / 1e6 / seconds)} MB/s, first byte after ${short(firstByteMs)} ms.`,
  ]
}

async function measurePages(server: Server, project: string): Promise<Row[]> {
  const sort_by = [{ field: 'started_at', direction: 'desc' }]
  const body = JSON.stringify({ project_id: project, sort_by, limit: 100 })
  const make = () => ({ path: '/calls/stream_query', body })
  const rows: Row[] = []
  for (const connections of [1, 8]) {
    const ms = await sendAll(server, { connections, seconds: SECONDS, make })
    rows.push({ connections, 'requests/s': ms.length / SECONDS, ...spread(ms) })
  }
  return rows
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
      ...{ ...target(server, project), spans: 1_000, encoding: 'identity', connections: 16, warmSeconds: 2 },
      ...{ seconds: 600, rate: INSERTS_PER_SECOND, firstSerial: 2_000_000_000, seed: 11 },
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
