/**
 * `make bench`: measures the built server through its public interfaces, part by part, and writes the results after
 * each. The variables are those of `settings.ts`.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../test/support/root.js'
import type { Server } from '../test/support/server.js'
import { measureEvaluation } from './evaluation/evaluation.js'
import { measureHttp } from './http.js'
import { measureBaselines, measureIngest } from './ingest.js'
import { describeMachine } from './machine.js'
import { withEarlier, writePage } from './page.js'
import { measureReading } from './read/reading.js'
import type { Results } from './report.js'
import { measureResources } from './resources/resources.js'
import { type Part, type Settings, settingsFrom } from './settings.js'
import { startSubject } from './subject.js'
import { measureTraining } from './training/training.js'

function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}

async function main(): Promise<void> {
  const settings = settingsFrom(process.env)
  const date = new Date().toISOString().slice(0, 10)
  const file = join(root, 'bench/results', `${date}-${settings.name}`)
  const origin = {
    command: settings.command,
    commit: execFileSync('git', ['-C', root, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    store: process.env.CLICKHOUSE_URL ? 'a ClickHouse server' : 'the embedded engine',
  }
  let page = ''
  for (const part of settings.parts) {
    say(`measuring ${part}`)
    const figures = await measure(part, settings)
    const head = { name: settings.name, date, machine: describeMachine(root) }
    const results: Results = { ...head, ...figures, measured: { [part]: origin } }
    page = writePage(file, withEarlier(file, results))
  }
  process.stdout.write(page)
  say(`written to ${file}.md and .json`)
}

/** The figures of a part, under its name. */
async function measure(
  part: Part,
  { calls, seconds, tableRows, predictions }: Settings,
): Promise<Partial<Results>> {
  if (part === 'http') return { http: await withSubject((server) => measureHttp(server, 5)) }
  if (part === 'read') return { read: await withSubject((server) => measureReading(server, calls, say)) }
  if (part === 'evaluation')
    return { evaluation: await withSubject((server) => measureEvaluation(server, predictions, say)) }
  if (part === 'resources')
    return { resources: await withSubject((server) => measureResources(server, tableRows, say)) }
  if (part === 'training') return { training: await measureTraining(say) }
  const options = { warmSeconds: 3, seconds, onProgress: say }
  const figures = await withSubject((server) => measureIngest(server, options))
  return { ingest: { figures, baselines: await measureBaselines(4) } }
}

async function withSubject<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const server = await startSubject()
  try {
    return await work(server)
  } finally {
    await server.dispose()
  }
}

await main()
