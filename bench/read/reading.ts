/** Reading, from filling a store to the figures: quiet, and while rows come in. */
import type { Server } from '../../test/support/server.js'
import { type HttpFigures, measurePages } from '../http.js'
import { target } from '../ingest.js'
import { runLoad } from '../load/run-load.js'
import { family, watchMemory } from '../processes.js'
import { dress } from './enriched.js'
import { fill } from './fill.js'
import { type ExportFigures, measureExport, measureReads, type ReadFigures } from './measure.js'
import { scenarios } from './scenarios.js'

export interface Reading {
  calls: number
  openCalls: number
  bigCalls: number
  searchedCalls: number
  /** Calls of the big project that carry refs, and feedback given in it. */
  dressedCalls: number
  feedback: number
  fillSeconds: number
  peakBytes: number
  quiet: ReadFigures[]
  underInserts: ReadFigures[]
  /** Rows a second that were acknowledged meanwhile. */
  insertedPerSecond: number
  export: ExportFigures
  /** A page under several readers at once. */
  concurrent: HttpFigures[]
}

const INSERTS_PER_SECOND = 20_000
const EXPORTED = 400_000
const LIMITS = { requests: 100, seconds: 4 }

/** Fills `server` with `calls` calls and reads among them. */
export async function measureReading(
  server: Server,
  calls: number,
  onProgress: (text: string) => void,
): Promise<Reading> {
  const filled = await fill(server, calls, onProgress)
  const dressed = await dress(server, filled.big)
  const refs = await opRefs(server, filled.big.name)
  const list = scenarios(filled, refs)
  const stopWatching = watchMemory(family(server.pid))
  onProgress('reading, quiet')
  const quiet = await measureReads(server, list, LIMITS, true)
  const concurrent = await measurePages(server, filled.big.name, 5)
  const exported = await measureExport(server, '/calls/stream_query', {
    project_id: filled.big.name,
    limit: EXPORTED,
  })
  onProgress(`reading, under ${INSERTS_PER_SECOND} inserted rows a second`)
  const { underInserts, insertedPerSecond } = await whileInserting(server, filled.big.name, () =>
    measureReads(server, list, LIMITS, false),
  )
  return {
    calls: filled.calls,
    openCalls: filled.openCalls,
    bigCalls: filled.big.calls,
    searchedCalls: filled.searched.calls,
    dressedCalls: dressed.calls,
    feedback: dressed.feedback,
    fillSeconds: filled.seconds,
    peakBytes: stopWatching(),
    quiet,
    underInserts,
    insertedPerSecond,
    export: exported,
    concurrent,
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
