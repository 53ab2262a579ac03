/**
 * What calls cost whose starts and ends come in different requests, as SDKs send calls that take longer than the pause between
 * two of their batches: ten requests a second, each with starts and the ends of calls that began ten requests before.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { uuid7 } from '../../test/support/ids.js'
import type { Server } from '../../test/support/server.js'
import { type Figures, short, spread } from '../figures.js'
import { connect, send } from '../load/requests.js'
import { Chance, prose } from '../load/text.js'
import { cpuSeconds, family } from '../processes.js'

const CALLS = 10
const LASTS = 10
const EVERY_MS = 100
/** Requests until starts and ends come evenly. */
const WARM_UP = 3 * LASTS

/** @param seconds how long it measures */
export async function measureHalves(server: Server, seconds: number): Promise<Figures> {
  const project_id = 'bench/halves'
  const chance = new Chance(1)
  const running: string[][] = []
  const client = connect(server)
  const ms: number[] = []
  const request = async () => {
    const now = new Date().toISOString()
    const starts = Array.from({ length: CALLS }, () => uuid7())
    running.push(starts)
    const ends = running.length > LASTS ? running.shift()! : []
    const batch = [
      ...starts.map((id) => {
        const start = { project_id, id, trace_id: id, op_name: 'step', started_at: now }
        return {
          mode: 'start',
          req: { start: { ...start, attributes: {}, inputs: { question: prose(chance, 500) } } },
        }
      }),
      ...ends.map((id) => {
        const end = { project_id, id, ended_at: now, output: prose(chance, 500), summary: {} }
        return { mode: 'end', req: { end } }
      }),
    ]
    const from = performance.now()
    await send(client, server, { path: '/call/upsert_batch', body: JSON.stringify({ batch }) })
    ms.push(performance.now() - from)
  }
  const many = async (count: number) => {
    for (let n = 0; n < count; n++) await Promise.all([request(), sleep(EVERY_MS)])
  }
  try {
    await many(WARM_UP)
    ms.length = 0
    const pids = family(server.pid)
    const [cpu, from] = [cpuSeconds(pids), performance.now()]
    await many((seconds * 1000) / EVERY_MS)
    const used = cpuSeconds(pids) - cpu
    const cores = used / ((performance.now() - from) / 1000)
    return [
      `Starts and ends in different requests, ${CALLS} of each a request, a request at a time, ten a second for ${seconds} s: ${short(cores)} cores.`,
      [{ 'server CPU ms/request': (used * 1000) / ms.length, cores, ...spread(ms) }],
    ]
  } finally {
    await client.close()
  }
}
