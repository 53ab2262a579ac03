/**
 * The matrix: spans per request and connections at full rate and parts of it, bytes per span on disk, reads beside
 * writes, and the same load on other stores.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Server } from '../../test/support/server.js'
import { type Figures, type Row, same, short, spread } from '../figures.js'
import { sendAll } from '../load/requests.js'
import { family } from '../processes.js'
import { authorization, say } from '../subject.js'
import { type Cell, COMMON, type Extent, nameOf, REST_SECONDS } from './cells.js'
import { measureHalves } from './halves.js'
import { columnsOf, type Measured, measureCell, type Target, untilIdle } from './measure-cell.js'
import { type PeerName, startPeer } from './peers.js'

/** Binaries of other stores, as far as they are given. */
export type Binaries = Partial<Record<PeerName, string>>

/** Spans a second beside which is read, and of the trickle. */
const WRITTEN = 4_000
/** Loads below this part of the full rate wait for the merges of those before, which cost more than they do. */
const LITTLE = 0.05
const READ_SECONDS = 6
const WARM_UP_SECONDS = 6

export async function measureMatrix(server: Server, extent: Extent, binaries: Binaries): Promise<Figures> {
  const matrix = new Matrix(server, extent)
  const full = await matrix.full()
  const [text, ...parts] = [
    await matrix.parts(full),
    await matrix.rest(),
    await measureHalves(server, extent.halvesSeconds),
    await matrix.trickle(),
    await matrix.reads(),
  ]
  const peers = await matrix.beside(binaries)
  return [
    '## The matrix: connections × spans a request',
    ...headline(full),
    'At full rate. Each cell has a project of its own.',
    full.map(({ row }) => row),
    ...text,
    ...parts.flat(),
    ...peers,
  ]
}

interface Found {
  cell: Cell
  measured: Measured
  row: Row
}

/** The worst common cell beside the best of all. */
function headline(full: readonly Found[]): string[] {
  const common = full.filter(({ cell }) =>
    COMMON.some((one) => nameOf(one) === nameOf(cell) && one.connections > 1),
  )
  const byCost = (a: Found, b: Found) => b.measured.cpuMicros - a.measured.cpuMicros
  const worst = [...common].sort(byCost)[0]
  const best = [...full].sort(byCost).at(-1)
  if (!worst || !best) return []
  const said = ({ cell, measured }: Found) =>
    `${nameOf(cell)}: ${short(measured.rate)} spans/s at ${short(measured.cpuMicros)} µs of server CPU a span`
  return [`Worst common cell, ${said(worst)}. Best cell, ${said(best)}.`]
}

class Matrix {
  private serial = 0
  private stored = 0
  private readonly until: number
  private readonly target: Target

  constructor(
    private readonly server: Server,
    private readonly extent: Extent,
  ) {
    this.until = performance.now() + extent.limitSeconds * 1000
    const headers = { ...authorization(server), 'content-type': 'application/x-protobuf' }
    const pids = () => family(server.pid)
    this.target = { pids, port: server.ports[0], path: '/otel/v1/traces', headers }
  }

  async full(): Promise<Found[]> {
    const found: Found[] = []
    // Code of a server that has just started is not compiled yet.
    await this.run({ connections: 32, spans: 100 }, 'bench/warm', undefined, { seconds: WARM_UP_SECONDS })
    for (const cell of this.extent.cells) {
      if (this.isLate()) break
      const project = `bench/full-${cell.connections}-${cell.spans}`
      const measured = await this.run(cell, project)
      const { acknowledged, refused, loadMicros } = measured
      const stored = same(await this.server.api.count(project), acknowledged)
      const row = { cell: nameOf(cell), ...columnsOf(measured), 'load CPU µs/span': loadMicros }
      found.push({ cell, measured, row: { ...row, acknowledged, stored, refused } })
    }
    return found
  }

  async parts(full: readonly Found[]): Promise<Figures> {
    const rows: Row[] = []
    for (const { cell, measured } of full) {
      for (const part of this.extent.rates) {
        // A request a second at least, and no more connections at once than that takes.
        const rate = Math.max(measured.rate * part, cell.spans)
        if (this.isLate()) break
        const project = `bench/part-${cell.connections}-${cell.spans}-${part * 100}`
        const restSeconds = part < LITTLE ? REST_SECONDS : 2
        const found = await this.run(cell, project, rate, { restSeconds })
        rows.push({ cell: nameOf(cell), 'of its full rate': `${part * 100} %`, ...columnsOf(found) })
      }
    }
    const left = full.length * this.extent.rates.length - rows.length
    const missing = this.extent.cells.length - full.length
    const skipped =
      left + missing > 0
        ? [`Time was up before ${left} of these loads and ${missing} cells at full rate.`]
        : []
    const text = 'At a part of the rate that each cell reached; milliseconds from when a request was due.'
    return [text, ...(rows.length > 0 ? [rows] : []), ...skipped]
  }

  /** What spans weigh after a rest. */
  async rest(): Promise<Figures> {
    await new Promise((resolve) => setTimeout(resolve, this.extent.restSeconds * 1000))
    const { data, log } = weigh(this.server.dataDir)
    const text = `After ${this.extent.restSeconds} s of rest the data folder holds ${short(data / this.stored)} bytes a span (${short(this.stored)} spans; beside them ${short(log / 1e6)} MB of files of the log, which are written again and again).`
    return [text]
  }

  /** What a few requests a second cost over a while, merges included. */
  async trickle(): Promise<Figures> {
    const cell = { connections: 8, spans: 100 }
    const seconds = this.extent.trickleSeconds
    const found = await this.run(cell, 'bench/trickle', WRITTEN, { seconds, restSeconds: REST_SECONDS })
    return [
      `${short(WRITTEN)} spans a second in requests of ${cell.spans} for ${seconds} s, over ${cell.connections} connections: ${short(found.cores)} cores.`,
      [{ cell: nameOf(cell), ...columnsOf(found) }],
    ]
  }

  async reads(): Promise<Figures> {
    const rows: Row[] = []
    const cell = { connections: 32, spans: 100 }
    const project = 'bench/full-32-100'
    for (const [name, of] of [
      ['latest 100, project written to', project],
      ['latest 100, idle project', 'bench/full-32-1000'],
    ] as const) {
      const quiet = await this.read(of)
      const order = {
        project,
        warmSeconds: 1,
        seconds: READ_SECONDS,
        firstSerial: this.serial,
        rate: WRITTEN,
      }
      const written = measureCell(this.target, cell, order)
      const beside = new Promise<void>((resolve) => setTimeout(resolve, 1_500)).then(() => this.read(of))
      const [load, ms] = await Promise.all([written, beside])
      this.note(load)
      const columns = { 'quiet ms p50': spread(quiet)['ms p50'], 'quiet ms p99': spread(quiet)['ms p99'] }
      rows.push({
        read: name,
        ...columns,
        ...spread(ms),
        'spans/s written': load.rate,
        'write ms p50': load.p50,
      })
    }
    return [
      `Reads over one connection, one after the other, quiet and beside ${short(WRITTEN)} spans a second in requests of ${cell.spans}.`,
      rows,
    ]
  }

  /** The common cells once more, in turns with other stores. */
  async beside(binaries: Binaries): Promise<Figures> {
    const { warmSeconds, seconds } = this.extent
    const tables: (string | Row[])[] = []
    for (const [name, binary] of Object.entries(binaries) as [PeerName, string][]) {
      const peer = await startPeer(name, binary)
      say(`beside ${peer.title}`)
      try {
        const rows: Row[] = []
        let sent = 0
        for (const cell of this.extent.beside) {
          const ours = await this.run(cell, `bench/beside-${name}-${cell.connections}-${cell.spans}`)
          const order = { project: 'bench/peer', warmSeconds, seconds, firstSerial: this.serial }
          const theirs = await measureCell(peer.target, cell, order)
          sent += theirs.acknowledged
          rows.push({
            ...{
              cell: nameOf(cell),
              'spans/s': ours.rate,
              'CPU µs/span': ours.cpuMicros,
              'ms p50': ours.p50,
            },
            ...{ 'its spans/s': theirs.rate, 'its CPU µs/span': theirs.cpuMicros, 'its ms p50': theirs.p50 },
            ...{ 'spans/s, ratio': ours.rate / theirs.rate, 'CPU, ratio': ours.cpuMicros / theirs.cpuMicros },
          })
        }
        await new Promise((resolve) => setTimeout(resolve, this.extent.restSeconds * 500))
        const { data } = weigh(peer.folder)
        const disk =
          data === 0 ? 'It keeps nothing on disk.' : `Its folder holds ${short(data / sent)} bytes a span.`
        tables.push(`Beside ${peer.title}, in turns, the same load. ${disk}`, rows)
      } finally {
        await peer.stop()
      }
    }
    return tables
  }

  private async read(project: string): Promise<number[]> {
    const sort_by = [{ field: 'started_at', direction: 'desc' }]
    const body = JSON.stringify({ project_id: project, limit: 100, sort_by })
    const make = () => ({ path: '/calls/stream_query', body })
    return sendAll(this.server, { connections: 1, seconds: READ_SECONDS - 2, make })
  }

  private async run(
    cell: Cell,
    project: string,
    rate?: number,
    { seconds = this.extent.seconds, restSeconds = 2 } = {},
  ): Promise<Measured> {
    await untilIdle(this.target.pids(), restSeconds * 1000)
    const { warmSeconds } = this.extent
    const order = {
      project,
      warmSeconds,
      seconds,
      firstSerial: this.serial,
      ...(rate !== undefined && { rate }),
    }
    const measured = await measureCell(this.target, cell, order)
    this.note(measured)
    say(`${nameOf(cell)}: ${Math.round(measured.rate)} spans/s, ${measured.cpuMicros.toFixed(1)} µs`)
    return measured
  }

  private note({ nextSerial, acknowledged }: Measured): void {
    this.serial = nextSerial
    this.stored += acknowledged
  }

  private isLate(): boolean {
    return performance.now() > this.until
  }
}

/** Bytes of the files in a folder, those of the log apart. */
function weigh(folder: string, ofLog = false): { data: number; log: number } {
  const sum = { data: 0, log: 0 }
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const { data, log } = weigh(path, ofLog || entry.name === 'write-log')
      sum.data += data
      sum.log += log
    } else if (entry.isFile())
      sum[ofLog ? 'log' : 'data'] += statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }
  return sum
}

/** What a folder holds; nothing if a merge has just removed it. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
