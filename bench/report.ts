/** A run's figures as Markdown. Pure. */
import type { EvaluationFigures } from './evaluation/evaluation.js'
import { evaluationPart } from './evaluation/report.js'
import { megabytes, short, table } from './figures.js'
import type { HttpFigures } from './http.js'
import type { Baseline, IngestFigures } from './ingest.js'
import type { Machine } from './machine.js'
import type { Reading } from './read/reading.js'
import { resourcesPart, targetOf } from './resources/report.js'
import type { Resources } from './resources/resources.js'
import { PARTS, type Part } from './settings.js'
import { trainingPart } from './training/report.js'
import type { Training } from './training/training.js'

/** How and of what a part was measured. */
interface Origin {
  command: string
  commit: string
  store: string
}

export interface Results {
  name: string
  date: string
  machine: Machine
  measured: Partial<Record<Part, Origin>>
  ingest?: { figures: IngestFigures[]; baselines: Baseline[] }
  http?: HttpFigures[]
  read?: Reading
  resources?: Resources
  evaluation?: EvaluationFigures
  training?: Training
}

/** The page of a run. */
export function report(results: Results): string {
  const { machine, date, name, ingest, http, read, resources, evaluation, training } = results
  const versions = Object.entries(machine.versions).map(([key, value]) => `${key} ${value}`)
  const parts = [
    `# ${date} · ${name}`,
    `${machine.cores} cores (${machine.model}), ${machine.memoryGB} GB, ${machine.system}, Node ${machine.node}; ${versions.join(', ')}. The load runs on the same cores.`,
    origins(results.measured),
  ]
  if (ingest) parts.push(...ingestPart(ingest))
  if (http || read) parts.push(...httpPart([...(http ?? []), ...(read?.concurrent ?? [])]))
  if (read) parts.push(...readPart(read))
  if (resources) parts.push(...resourcesPart(resources))
  if (evaluation) parts.push(...evaluationPart(evaluation))
  if (training) parts.push(...trainingPart(training))
  return `${parts.join('\n\n')}\n`
}

/** A line for each command that measured something, with what it measured. */
function origins(measured: Results['measured']): string {
  const byCommand = new Map<string, Part[]>()
  for (const part of PARTS) {
    const origin = measured[part]
    if (!origin) continue
    const line = `\`${origin.command}\` at commit ${origin.commit}, store: ${origin.store}`
    byCommand.set(line, [...(byCommand.get(line) ?? []), part])
  }
  return [...byCommand].map(([line, parts]) => `- ${parts.join(', ')}: ${line}`).join('\n')
}

function ingestPart({ figures, baselines }: NonNullable<Results['ingest']>): string[] {
  const rows = figures.map((one) => [
    one.name,
    String(one.connections),
    short(one.spansPerSecond),
    short(one.cpuMicros),
    short(one.generatorMicros),
    `${short(one.p50)} / ${short(one.p99)} / ${short(one.max)}`,
    megabytes(one.peakBytes),
    `${short(one.acknowledged)} / ${short(one.stored)}${one.acknowledged === one.stored ? '' : ' ✗'}`,
    Object.entries(one.refused)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ') || 'none',
  ])
  const sizes = figures.map((one) => `${one.encoding} ${short(one.bytesPerSpan)}`)
  return [
    '## Writing: OTLP protobuf, acknowledged when stored and queryable',
    `Spans with 12 attributes and 2 events; bytes a span on the wire: ${[...new Set(sizes)].join(', ')}.`,
    table(
      [
        'scenario',
        'connections',
        'spans/s',
        'server CPU µs/span',
        'load CPU µs/span',
        'request ms p50 / p99 / max',
        'peak RSS MB',
        'acknowledged / stored',
        'refused',
      ],
      rows,
    ),
    'The parts alone, in the same run:',
    table(
      ['part', 'spans/s', 'CPU µs/span'],
      baselines.map((one) => [
        one.name,
        one.spansPerSecond === undefined ? '–' : short(one.spansPerSecond),
        short(one.cpuMicros),
      ]),
    ),
  ]
}

function httpPart(figures: HttpFigures[]): string[] {
  const rows = figures.map((one) => [
    one.name,
    String(one.connections),
    short(one.requestsPerSecond),
    `${short(one.p50)} / ${short(one.p99)}`,
    String(one.notOk),
  ])
  return [
    '## HTTP (autocannon)',
    table(['request', 'connections', 'requests/s', 'ms p50 / p99', 'not 2xx'], rows),
  ]
}

function readPart(read: Reading): string[] {
  const busy = new Map(read.underInserts.map((one) => [one.name, one]))
  const rows = read.quiet.map((one) => {
    const other = busy.get(one.name)
    return [
      one.name,
      `${short(one.p50)} / ${short(one.p99)}`,
      other ? `${short(other.p50)} / ${short(other.p99)}` : '–',
      targetOf(one),
      String(one.requests),
      short(one.bytes / 1000),
    ]
  })
  const out = read.export
  return [
    '## Reading',
    `${short(read.calls)} calls in 10 projects, and ${short(read.openCalls)} open ones; pages and counts over a project of ${short(read.bigCalls)}, equality on a path over one of ${short(read.searchedCalls)}. In the first, ${short(read.dressedCalls)} calls carry refs, and ${short(read.feedback)} pieces of feedback were given. Filled through the public interface in ${short(read.fillSeconds)} s. One request at a time, measured at the client. Peak RSS of all server processes while reading: ${megabytes(read.peakBytes)} MB.`,
    table(
      [
        'read',
        'quiet, ms p50 / p99',
        `under ${short(read.insertedPerSecond)} inserted rows/s, ms p50 / p99`,
        'target, quiet p50',
        'requests',
        'kB',
      ],
      rows,
    ),
    `Export: ${short(out.lines)} calls, ${megabytes(out.bytes)} MB, ${short(out.lines / out.seconds)} calls/s, ${short(out.bytes / 1e6 / out.seconds)} MB/s, first byte after ${short(out.firstByteMs)} ms.`,
  ]
}
