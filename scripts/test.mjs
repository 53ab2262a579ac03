// Runs the groups of tests side by side as far as the cores go, each line of their output behind the group's name, and
// says at the end which failed, what each took, and which tests were slowest. `node scripts/test.mjs e2e crash` runs
// only those groups; `--record` also writes the list of the slowest to test/README.md.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { slowestOf, tableOf, timesOf } from './test-times.mjs'

const REPORTS = '.cache/tests'
const SLOWEST = 20

const vitest = (project) =>
  `npx vitest run --project ${project} --reporter=default --reporter=json --outputFile.json=${join(REPORTS, `${project}.json`)}`

/**
 * The groups, those that take longest first. `files`: how many of its files run at a time, each of which keeps about
 * half a core busy, since it waits for processes, queues and intervals as long as it computes.
 */
const GROUPS = [
  { name: 'e2e', files: 2, command: vitest('e2e') },
  {
    name: 'model-server',
    files: 1,
    command: `cd model-server && .venv/bin/python -m pytest --junitxml=../${join(REPORTS, 'model-server.xml')}`,
  },
  { name: 'models', files: 1, command: vitest('models') },
  { name: 'slow', files: 2, command: vitest('slow') },
  { name: 'crash', files: 1, command: vitest('crash') },
  { name: 'fast', files: 2, command: vitest('fast') },
]

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = wanted.filter((name) => GROUPS.every((group) => group.name !== name))
if (unknown.length > 0) {
  console.error(`No group ${unknown.join(', ')}: there are ${GROUPS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const waiting = wanted.length > 0 ? GROUPS.filter(({ name }) => wanted.includes(name)) : [...GROUPS]
const width = Math.max(...GROUPS.map(({ name }) => name.length))
const tint = (code, text) => (process.stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text)
const say = (name, text) => process.stdout.write(`${tint(2, name.padEnd(width))} ${text}\n`)

/** Runs one group to its end. @returns how it went, and what it took */
function run({ name, command }) {
  const began = Date.now()
  const timed = `TIMEFORMAT=$'CPU %U %S'; time (${command})`
  const child = spawn('bash', ['-c', timed], { stdio: ['ignore', 'pipe', 'pipe'] })
  let cpu = 0
  const lines = [child.stdout, child.stderr].map((stream) => {
    const reader = createInterface({ input: stream })
    reader.on('line', (line) => {
      const [, user, system] = /^CPU ([\d.]+) ([\d.]+)$/.exec(line) ?? []
      if (user === undefined) say(name, line)
      else cpu = Number(user) + Number(system)
    })
    return reader
  })
  return new Promise((resolve) => {
    child.once('close', (code) => {
      for (const reader of lines) reader.close()
      const seconds = (Date.now() - began) / 1000
      say(name, code === 0 ? tint(32, 'passed') : tint(31, `FAILED (${code})`))
      resolve({ name, ok: code === 0, seconds, cpu })
    })
  })
}

rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })
const began = Date.now()
const results = []
const running = new Map()
/** Four files at a time on two cores. */
const room = 2 * availableParallelism()
while (waiting.length > 0 || running.size > 0) {
  const busy = () => [...running.keys()].reduce((sum, { files }) => sum + files, 0)
  for (;;) {
    const next = waiting.findIndex(({ files }) => busy() + files <= Math.max(room, files))
    if (next < 0) break
    const [group] = waiting.splice(next, 1)
    running.set(
      group,
      run(group).then((result) => {
        running.delete(group)
        results.push(result)
      }),
    )
  }
  await Promise.race(running.values())
}

const slowest = slowestOf(timesOf(REPORTS), SLOWEST)
console.log(`\nThe ${SLOWEST} slowest:\n\n${tableOf(slowest)}`)
console.log('| group | minutes | CPU seconds | |\n|---|---|---|---|')
for (const { name, ok, seconds, cpu } of results)
  console.log(
    `| ${name} | ${(seconds / 60).toFixed(1)} | ${cpu.toFixed(0)} | ${ok ? 'passed' : tint(31, 'FAILED')} |`,
  )
console.log(
  `| all | ${((Date.now() - began) / 60_000).toFixed(1)} | ${results.reduce((sum, { cpu }) => sum + cpu, 0).toFixed(0)} | |`,
)

if (process.argv.includes('--record')) {
  const file = 'test/README.md'
  const [head, rest] = readFileSync(file, 'utf8').split('<!-- slowest -->\n')
  const [, tail] = rest.split('<!-- /slowest -->')
  const day = new Date().toISOString().slice(0, 10)
  const cores = availableParallelism()
  const list = `<!-- slowest -->\n${day}, ${cores} cores, all groups side by side:\n\n${tableOf(slowest)}<!-- /slowest -->`
  writeFileSync(file, head + list + tail)
}
const failed = results.filter(({ ok }) => !ok).map(({ name }) => name)
if (failed.length > 0) console.log(`\n${tint(31, `FAILED: ${failed.join(', ')}`)}`)
process.exit(failed.length > 0 ? 1 : 0)
