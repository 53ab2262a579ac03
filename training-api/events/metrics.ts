/** The metrics of a job's gradient steps as JSON and as CSV, in pieces, since a job may have very many. */

import { eventsAfter } from '../../domain/training/events.js'
import type { JobRow } from '../../domain/training/jobs.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'

const PART = 1000

interface Step {
  step: number
  created_at: string
  metrics: Record<string, number>
}

type JobEvents = Pick<JobRow, 'project_id' | 'id' | 'events_before'>

/** The steps after `from`. The first event of the node is the job's start; steps count from 1 after it. */
async function* steps(store: Store, job: JobEvents, from: number): AsyncGenerator<Step[]> {
  const start = job.events_before + 1
  for (let after = start + from; ; ) {
    const events = await eventsAfter(store, job, after, PART)
    const part = events
      .filter(({ type }) => type === 'gradient_step')
      .map(({ number, data, created_at }) => ({
        step: number - start,
        created_at: isoOfMicros(created_at),
        metrics: JSON.parse(data) as Record<string, number>,
      }))
    if (part.length > 0) yield part
    if (events.length < PART) return
    after = events.at(-1)!.number
  }
}

export async function* metricsJson(store: Store, job: JobEvents, after: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"object":"list","data":[')
  let first = true
  for await (const part of steps(store, job, after)) {
    yield Buffer.from(`${first ? '' : ','}${part.map((one) => JSON.stringify(one)).join(',')}`)
    first = false
  }
  yield Buffer.from(']}')
}

/** Reads the steps twice: the names of all metrics are known only at the end. */
export async function* metricsCsv(store: Store, job: JobEvents, after: number): AsyncGenerator<Uint8Array> {
  const found = new Set<string>()
  for await (const part of steps(store, job, after))
    for (const { metrics } of part) for (const name of Object.keys(metrics)) found.add(name)
  const names = [...found].sort()
  yield Buffer.from(csvLine(['step', 'created_at', ...names]))
  for await (const part of steps(store, job, after)) {
    const lines = part.map(({ step, created_at, metrics }) =>
      csvLine([step, created_at, ...names.map((name) => metrics[name] ?? '')]),
    )
    yield Buffer.from(lines.join(''))
  }
}

/** Quotes cells where needed: nodes choose the names of metrics. */
function csvLine(cells: readonly (string | number)[]): string {
  const quoted = cells.map((cell) =>
    typeof cell === 'string' && /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : String(cell),
  )
  return `${quoted.join(',')}\r\n`
}
