/**
 * What readers cost writers, and how long they wait: the same load without and with one that asks once a second, in turns
 * and in steady state; and the newest of a small project beside much else.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../../test/support/server.js'
import { type Figures, percentile, type Row, short } from '../figures.js'
import { connect, type Request, send, sendAll } from '../load/requests.js'
import { family } from '../processes.js'
import { authorization, say } from '../subject.js'
import { type Cell, nameOf, READ_BESIDE, REST_SECONDS, type Reader, STEADY_SECONDS } from './cells.js'
import { columnsOf, type Measured, meanOf, measureCell, type Target, untilIdle } from './measure-cell.js'

const PAUSE_MS = 1000
const LINES = 100
/** Turns without and with a reader: what merges and other processes take changes by more than a reader does. */
const TURNS = 6
const TURN_SECONDS = 6
/** Of each turn, before it is measured. */
const WARM_SECONDS = 2
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
const ASKS: Record<Reader, (project: string, now: string) => Request[]> = {
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
  /** @param rate spans a second; undefined: as many as possible */
  const inTurns = async (cell: Cell, reader: Reader, rate: number | undefined) => {
    const project = `bench/readers-${serial++}`
    const [without, beside]: [Measured[], Measured[]] = [[], []]
    const ms: number[] = []
    // What the cell before it left to be merged is not this one's.
    await untilIdle(target.pids(), REST_SECONDS * 1000)
    for (let turn = 0; turn < 2 * TURNS; turn++) {
      const isRead = turn % 2 === 1
      const ended = new AbortController()
      const reading = isRead ? read(server, ASKS[reader], project, ms, ended.signal) : undefined
      const warmSeconds = turn === 0 ? STEADY_SECONDS : WARM_SECONDS
      const order = { project, warmSeconds, seconds: TURN_SECONDS, firstSerial }
      const measured = await measureCell(target, cell, { ...order, ...(rate !== undefined && { rate }) })
      ended.abort()
      await reading
      firstSerial = measured.nextSerial
      const all = isRead ? beside : without
      all.push(measured)
    }
    say(`${nameOf(cell)}, ${reader} beside: ${Math.round(meanOf(beside).rate)} spans/s`)
    // Those of the first seconds found code that was not compiled yet.
    return { without: meanOf(without), beside: meanOf(beside), ms: ms.slice(3) }
  }
  const rows: Row[] = []
  const full = new Map<string, number>()
  for (const { cell, part, readers } of READ_BESIDE) {
    const rate = part < 1 ? full.get(nameOf(cell))! * part : undefined
    for (const reader of readers) {
      const { without, beside, ms } = await inTurns(cell, reader, rate)
      if (part === 1 && !full.has(nameOf(cell))) full.set(nameOf(cell), without.rate)
      const row = (who: Reader | 'nobody', measured: Measured, times: readonly number[]): Row => ({
        ...{ cell: nameOf(cell), 'of its full rate': `${part * 100} %`, readers: who },
        ...columnsOf(measured),
        'of the rate without': measured.rate / without.rate,
        ...{ 'read ms p50': percentile(times, 0.5), 'read ms p95': percentile(times, 0.95) },
      })
      rows.push(row('nobody', without, []), row(reader, beside, ms))
    }
  }
  return [
    '## Writing beside readers',
    `With one reader that asks once a second, after ${STEADY_SECONDS} s of the same load: a list of the newest ${LINES}; a page of the application (the newest roots, and how many came since); a tail (the newest ${LINES} of the last second). Turns of ${TURN_SECONDS} s without and with it follow one another, ${TURNS} of each, on one project; the figures are their means.`,
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
