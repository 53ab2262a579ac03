/**
 * Fills a store through the public interface: half of the calls in one project, up to a million in another, the
 * rest over eight more, times as if they had come in over thirty days, and one in a hundred left open.
 */
import type { Server } from '../../test/support/server.js'
import { target } from '../ingest.js'
import type { Order } from '../load/order.js'
import { runLoad } from '../load/run-load.js'
import { Chance, prose } from '../load/text.js'

export interface Filled {
  big: Project
  /** The project whose inputs are searched by a path. */
  searched: Project
  others: string[]
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

/** Fills; `calls` in all, at least 100,000. */
export async function fill(
  server: Server,
  calls: number,
  onProgress: (text: string) => void,
): Promise<Filled> {
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
  const others = Array.from({ length: 8 }, (_, n) => plot(`other-${n}`, rest))
  let filled = 0
  for (const project of plan) {
    const order: Order = {
      ...target(server, project.name),
      spans: SPANS,
      encoding: 'identity',
      connections: 48,
      warmSeconds: 0,
      seconds: 3_600,
      total: project.calls,
      firstSerial: project.firstSerial,
      seed: project.seed,
      clock: {
        start: end - DAYS * 86_400e6,
        step: Math.max(1, Math.floor((DAYS * 86_400e6) / project.calls)),
      },
    }
    const outcome = await runLoad(order)
    filled += outcome.allAcknowledgedSpans
    onProgress(`filled ${filled.toLocaleString('en-US')} of ${calls.toLocaleString('en-US')} calls`)
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
    others: others.map(({ name }) => name),
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
  for (let made = 0; made < count; ) {
    const size = Math.min(1_000, count - made)
    const batch = Array.from({ length: size }, (_, n) => {
      const started = new Date((end - (made + n) * 100 * step) / 1000).toISOString()
      const id = `${hex(chance, 8)}-${hex(chance, 4)}-7${hex(chance, 3)}-8${hex(chance, 3)}-${hex(chance, 12)}`
      const start = {
        project_id: project,
        id,
        trace_id: id,
        op_name: 'open step',
        started_at: started,
        attributes: { region: 'region-1' },
        inputs: { question: prose(chance, 300) },
      }
      return { mode: 'start', req: { start } }
    })
    await server.api.ok('/call/upsert_batch', { batch })
    made += size
  }
}

function hex(chance: Chance, digits: number): string {
  let text = ''
  while (text.length < digits) text += chance.bits().toString(16).padStart(8, '0')
  return text.slice(0, digits)
}
