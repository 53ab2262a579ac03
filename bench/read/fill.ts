/**
 * Fills a store through the public interface: half of the calls in one project, up to a million in another, the
 * rest over eight more, times as if they had come in over thirty days, and one in a hundred left open.
 */
import { uuid7 } from '../../test/support/ids.js'
import type { Server } from '../../test/support/server.js'
import { target } from '../ingest.js'
import { sendAll } from '../load/requests.js'
import { runLoad } from '../load/run-load.js'
import { Chance, prose } from '../load/text.js'
import { say } from '../subject.js'

export interface Filled {
  big: Project
  /** The project whose inputs are searched by a path. */
  searched: Project
  calls: number
  openCalls: number
  seconds: number
}

export interface Project {
  name: string
  calls: number
  firstSerial: number
  seed: number
}

const SPANS = 1_000
const DAYS = 30
/** Open calls of a request. */
const BATCH = 1_000

/** Fills; `calls` in all, at least 100,000. */
export async function fill(server: Server, calls: number): Promise<Filled> {
  const from = performance.now()
  const end = Date.now() * 1000
  const step = Math.floor((DAYS * 86_400e6) / calls)
  const searchedCalls = Math.min(1_000_000, round(calls / 4))
  const bigCalls = round(calls / 2)
  const rest = round((calls - bigCalls - searchedCalls) / 8)
  const plan: Project[] = []
  let serial = 100_000_000
  const plot = (name: string, count: number) => {
    const project = { name: `fill/${name}`, calls: count, firstSerial: serial, seed: 7 }
    serial += count
    plan.push(project)
    return project
  }
  const big = plot('big', bigCalls)
  const searched = plot('searched', searchedCalls)
  for (let n = 0; n < 8; n++) plot(`other-${n}`, rest)
  let filled = 0
  for (const project of plan) {
    const { calls: total, firstSerial, seed } = project
    const clock = { start: end - DAYS * 86_400e6, step: Math.max(1, Math.floor((DAYS * 86_400e6) / total)) }
    const outcome = await runLoad({
      ...{ ...target(server, project.name), spans: SPANS, encoding: 'identity', connections: 48 },
      ...{ warmSeconds: 0, seconds: 3_600, total, firstSerial, seed, clock },
    })
    filled += outcome.allAcknowledgedSpans
    say(`filled ${filled.toLocaleString('en-US')} of ${calls.toLocaleString('en-US')} calls`)
  }
  const openCalls = Math.floor(calls / 100)
  for (const [project, count] of [
    [big, Math.floor(openCalls / 2)],
    [searched, openCalls - Math.floor(openCalls / 2)],
  ] as const)
    await leaveOpen(server, project.name, count, end, step)
  return {
    big,
    searched,
    calls: filled,
    openCalls,
    seconds: (performance.now() - from) / 1000,
  }
}

function round(count: number): number {
  return Math.max(SPANS, Math.floor(count / SPANS) * SPANS)
}

/** Starts calls that never end, spread over the same days. */
async function leaveOpen(
  server: Server,
  project: string,
  count: number,
  end: number,
  step: number,
): Promise<void> {
  const chance = new Chance(count)
  const startOf = (n: number) => {
    const id = uuid7()
    const start = {
      ...{ project_id: project, id, trace_id: id, op_name: 'open step' },
      started_at: new Date((end - n * 100 * step) / 1000).toISOString(),
      ...{ attributes: { region: 'region-1' }, inputs: { question: prose(chance, 300) } },
    }
    return { mode: 'start', req: { start } }
  }
  const make = (n: number) => {
    const size = Math.min(BATCH, count - n * BATCH)
    const batch = Array.from({ length: size }, (_, i) => startOf(n * BATCH + i))
    return { path: '/call/upsert_batch', body: JSON.stringify({ batch }) }
  }
  await sendAll(server, { connections: 1, count: Math.ceil(count / BATCH), make })
}
