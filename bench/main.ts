/**
 * `make bench`: measures the built server through its public interfaces, part by part, and writes the results after
 * each. The variables are those of `settings.ts`.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../test/support/root.js'
import { measureEvaluation } from './evaluation/evaluation.js'
import type { Figures } from './figures.js'
import { measureHttp } from './http.js'
import { measureBaselines, measureIngest } from './ingest.js'
import { describeMachine } from './machine.js'
import { measureMasking } from './masking/masking.js'
import { measureBesideReaders } from './matrix/beside-readers.js'
import { extentOf } from './matrix/cells.js'
import { measureMatrix } from './matrix/matrix.js'
import { measureAlerts } from './monitors/alerts.js'
import { measureMonitors } from './monitors/monitors.js'
import { measureRules } from './monitors/rules.js'
import { measurePeople } from './people/people.js'
import { measureReading } from './read/reading.js'
import { measureTools } from './read/tools.js'
import { writePage } from './report.js'
import { measureResources } from './resources/resources.js'
import { type Part, type Settings, settingsFrom } from './settings.js'
import { say, withSubject } from './subject.js'
import { measureTraining } from './training/training.js'
import { measureVictims } from './victims/victims.js'

/** How each part is measured. */
const MEASURES: Record<Part, (settings: Settings) => Promise<Figures>> = {
  matrix: ({ shortMatrix, peers }) =>
    withSubject((server) => measureMatrix(server, extentOf(shortMatrix), peers)),
  readers: () => withSubject(measureBesideReaders),
  ingest: async ({ seconds }) => [
    ...(await withSubject((server) => measureIngest(server, seconds))),
    ...(await measureBaselines()),
  ],
  http: () => withSubject(measureHttp),
  read: ({ calls }) => withSubject((server) => measureReading(server, calls)),
  tools: ({ calls }) => withSubject((server) => measureTools(server, calls)),
  resources: ({ tableRows }) => withSubject((server) => measureResources(server, tableRows)),
  evaluation: ({ predictions }) => withSubject((server) => measureEvaluation(server, predictions)),
  monitors: ({ seconds }) => measureMonitors(seconds),
  alerts: () => measureAlerts(),
  rules: () => measureRules(),
  masking: () => withSubject(measureMasking),
  people: () => measurePeople(),
  victims: ({ seconds }) => measureVictims(seconds),
  training: measureTraining,
}

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
  const figures = { [part]: await MEASURES[part](settings) }
  const head = { name: settings.name, date, machine: describeMachine(root) }
  page = writePage(file, { ...head, measured: { [part]: origin }, figures })
}
process.stdout.write(page)
say(`written to ${file}.md and .json`)
