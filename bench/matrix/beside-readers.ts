/**
 * What readers cost writers, and how long they wait: the same load without and with one that asks once a second, in steady
 * state; and the newest of a small project beside much else.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../../test/support/server.js'
import { type Figures, percentile, type Row, short } from '../figures.js'
import { connect, type Request, send, sendAll } from '../load/requests.js'
import { family } from '../processes.js'
import { authorization, say } from '../subject.js'
import {
  besideNobody,
  type Cell,
  nameOf,
  READ_BESIDE,
  REST_SECONDS,
  type Reader,
  STEADY_SECONDS,
} from './cells.js'
import { columnsOf, measureCell, type Target, untilIdle } from './measure-cell.js'

const PAUSE_MS = 1000
const LINES = 100
const SECONDS = 6
/** At a part of the full rate what counts is the reader, who asks once a second: 40 times or so. */
const PACED_SECONDS = 30
const SMALL = 500
const READS = 40

const newest = (project_id: string, more: object = {}): Request => ({
  path: '/calls/stream_query',
  body: JSON.stringify({
    project_id,
    limit: LINES,
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    ...more,
  }),
})

/** What a reader asks for, one after the other. */
const ASKS: Record<Exclude<Reader, 'nobody'>, (project: string, now: string) => Request[]> = {
  'a list': (project) => [newest(project)],
  // As the table of traces does: its calls, and how many have come since.
  'a page': (project_id, now) => [
    newest(project_id, { filter: { trace_roots_only: true } }),
    {
      path: '/calls/query_stats',
      body: JSON.stringify({
        ...{ project_id, limit: 200, filter: { trace_roots_only: true } },
        query: { $expr: { $gte: [{ $getField: 'started_at' }, { $literal: now }] } },
      }),
    },
  ],
  'a tail': (project, now) => [
    newest(project, { query: { $expr: { $gte: [{ $getField: 'started_at' }, { $literal: now }] } } }),
  ],
}

export async function measureBesideReaders(server: Server): Promise<Figures> {
  const headers = { ...authorization(server), 'content-type': 'application/x-protobuf' }
  const pids = () => family(server.pid)
  const target: Target = { pids, port: server.ports[0], path: '/otel/v1/traces', headers }
  let firstSerial = 0
  let serial = 0
  const measure = async (cell: Cell, reader: Reader, rate: number | undefined) => {
    const project = `bench/readers-${serial++}`
    const ms: number[] = []
    // What the cell before it left to be merged is not this one's.
    await untilIdle(target.pids(), REST_SECONDS * 1000)
    const ended = new AbortController()
    const reading = reader === 'nobody' ? undefined : read(server, ASKS[reader], project, ms, ended.signal)
    const seconds = rate === undefined ? SECONDS : PACED_SECONDS
    const order = { project, warmSeconds: STEADY_SECONDS, seconds, firstSerial }
    const measured = await measureCell(target, cell, { ...order, ...(rate !== undefined && { rate }) })
    ended.abort()
    await reading
    firstSerial = measured.nextSerial
    say(`${nameOf(cell)}, ${reader} beside: ${Math.round(measured.rate)} spans/s`)
    // Those of the first seconds found code that was not compiled yet.
    return { reader, measured, ms: ms.slice(3) }
  }
  const rows: Row[] = []
  const full = new Map<string, number>()
  for (const { cell, part, readers } of READ_BESIDE) {
    const rate = part < 1 ? full.get(nameOf(cell))! * part : undefined
    const all = []
    for (const reader of besideNobody(readers)) all.push(await measure(cell, reader, rate))
    if (part === 1) full.set(nameOf(cell), all[0]!.measured.rate)
    for (const [i, { reader, measured, ms }] of all.entries()) {
      const alone =
        reader === 'nobody' ? measured.rate : (all[i - 1]!.measured.rate + all[i + 1]!.measured.rate) / 2
      rows.push({
        ...{ cell: nameOf(cell), 'of its full rate': `${part * 100} %`, readers: reader },
        ...columnsOf(measured),
        'of the rate without': measured.rate / alone,
        ...{ 'read ms p50': percentile(ms, 0.5), 'read ms p95': percentile(ms, 0.95) },
      })
    }
  }
  return [
    '## Writing beside readers',
    `With one reader that asks once a second, after ${STEADY_SECONDS} s of the same load: a list of the newest ${LINES}; a page of the application (the newest roots, and how many came since); a tail (the newest ${LINES} of the last second). Each is compared with the mean of the runs without a reader before and after it, since merges grow with the store.`,
    rows,
    await smallStore(server, target, firstSerial),
  ]
}

/** The newest of a small project after all the loads before. */
async function smallStore(server: Server, target: Target, firstSerial: number): Promise<string> {
  const project = 'bench/small'
  const order = { project, warmSeconds: 0, seconds: 60, total: SMALL, firstSerial }
  await measureCell(target, { connections: 1, spans: 100 }, order)
  await untilIdle(target.pids(), REST_SECONDS * 1000)
  const reads = { connections: 1, count: READS, make: () => newest(project) }
  await sendAll(server, reads)
  const ms = await sendAll(server, reads)
  const [p50, p95] = [percentile(ms, 0.5), percentile(ms, 0.95)]
  return `The newest ${LINES} of a project of ${SMALL} calls after all that: ${short(p50)} ms (p50), ${short(p95)} ms (p95).`
}

async function read(
  server: Server,
  asks: (project: string, now: string) => Request[],
  project: string,
  ms: number[],
  ended: AbortSignal,
): Promise<void> {
  const client = connect(server)
  try {
    while (!ended.aborted) {
      const now = new Date(Date.now() - PAUSE_MS).toISOString()
      for (const asked of asks(project, now)) {
        const from = performance.now()
        await send(client, server, asked)
        ms.push(performance.now() - from)
      }
      await sleep(PAUSE_MS)
    }
  } finally {
    await client.close()
  }
}
