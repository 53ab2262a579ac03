// Runs the groups of tests side by side as far as the cores go, each line of their output behind the group's name, and
// says at the end which tests were slowest, what each group took, and what failed, with why. `node scripts/test.mjs e2e
// crash` runs those groups only, `--record` writes the list of the slowest to test/README.md, `--groups FILE` reads
// other groups. Files in which tests failed for want of time, and none for another reason, run once more by themselves at
// the end: beside others on a busy machine a limit of time says little. What only passed then is named.
//
// Of a group: `command`, and `again`, which takes names of files (default of both: vitest). `files`, how many of its files
// run at a time; each keeps less than half a core busy, since it waits for processes, queues and intervals longer than it
// computes. `alone`: it computes all the time, so nothing runs beside it. `parts`: into how many runs its files fall, each
// begun where there is room.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { failuresOf, slowestOf, tableOf, testsOf, timedOut } from './test-reports.mjs'

const REPORTS = '.cache/tests'
const REPORTER = join(import.meta.dirname, 'test-reporter.mjs')
const SLOWEST = 20
const UNFORESEEN = /\bINTERNAL\b.*request failed/
const [MOST_UNFORESEEN, MOST_CHARACTERS] = [3, 1500]
/** What runs ends within these after a signal, or is killed. */
const GRACE_MS = 20_000
/** Files at a time: five on two cores. Six leave less of the cores idle, and tests with limits of time fail. */
const ROOM = Math.ceil(2.5 * availableParallelism())

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { groups: { type: 'string' }, record: { type: 'boolean' } },
})
const listed = JSON.parse(
  readFileSync(options.groups ?? join(import.meta.dirname, 'test-groups.json'), 'utf8'),
)
const unknown = wanted.filter((name) => listed.every((group) => group.name !== name))
if (unknown.length > 0) {
  console.error(`No group ${unknown.join(', ')}: there are ${listed.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const groups = listed
  .filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  .flatMap(({ parts = 1, ...group }) =>
    Array.from({ length: parts }, (_, i) => ({
      ...{ project: group.name, part: parts > 1 ? ` --no-file-parallelism --shard=${i + 1}/${parts}` : '' },
      ...{ ...group, name: parts > 1 ? `${group.name}-${i + 1}` : group.name },
    })),
  )

const width = Math.max(...groups.map(({ name }) => name.length))
const color = (code, text) => (process.stdout.isTTY || process.env.CI ? `\x1b[${code}m${text}\x1b[0m` : text)
const say = (name, text) => process.stdout.write(`${color(2, name.padEnd(width))} ${text}\n`)
const running = new Map()
/** Requests that servers failed for a reason of their own, as they logged them: whoever asked was not told why. */
const unforeseen = []

const vitest = ({ name, project }) =>
  `npx vitest run --project ${project} --reporter=default --reporter=${REPORTER} --outputFile.json=${REPORTS}/${name}.json`

/** Runs one group to its end. @returns how it went, and what it took */
function run(group) {
  const { name, command = vitest(group) + group.part } = group
  const began = Date.now()
  const child = spawn('bash', ['-c', `TIMEFORMAT=$'CPU %U %S'; time (${command})`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a process group of its own, so that a signal can reach what it starts.
    detached: true,
  })
  let cpu = 0
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      const [, user, system] = /^CPU ([\d.]+) ([\d.]+)$/.exec(line) ?? []
      if (user !== undefined) cpu = Number(user) + Number(system)
      else say(name, line)
      if (UNFORESEEN.test(line)) unforeseen.push(line.slice(0, MOST_CHARACTERS))
    })
  const over = new Promise((resolve) => {
    child.once('close', (code) => {
      say(name, code === 0 ? color(32, 'passed') : color(31, `FAILED (${code})`))
      resolve({ name, ok: code === 0, seconds: (Date.now() - began) / 1000, cpu })
    })
  })
  return { child, over }
}

/** Whether `group` fits beside those that run. */
function fits(group) {
  if (running.size === 0) return true
  const others = [...running.keys()]
  if (group.alone || others.some(({ alone }) => alone)) return false
  return others.reduce((sum, { files }) => sum + files, group.files) <= ROOM
}

/** Signals all processes of all groups that run. */
function signalAll(signal) {
  for (const { child } of running.values())
    try {
      process.kill(-child.pid, signal)
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    waiting.length = 0
    signalAll(signal)
    setTimeout(() => signalAll('SIGKILL'), GRACE_MS).unref()
  })

rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })
const began = Date.now()
const waiting = [...groups]
const results = []
while (waiting.length > 0 || running.size > 0) {
  for (let next = waiting.findIndex(fits); next >= 0; next = waiting.findIndex(fits)) {
    const [group] = waiting.splice(next, 1)
    running.set(group, run(group))
  }
  const ended = await Promise.race([...running].map(async ([group, { over }]) => [group, await over]))
  running.delete(ended[0])
  results.push(ended[1])
}

const tests = testsOf(REPORTS)
const late = []
for (const [i, { name, ok, seconds, cpu }] of results.entries()) {
  const failed = tests.filter(({ group, failure }) => group === name && failure !== undefined)
  if (ok || failed.length === 0 || !failed.every(timedOut)) continue
  say(name, 'runs once more what ran out of time')
  const files = [...new Set(failed.map(({ file }) => file))]
  const first = groups.find((group) => group.name === name)
  const group = { name, files: 1, command: `${first.again ?? vitest(first)} ${files.join(' ')}` }
  running.set(group, run(group))
  const again = await running.get(group).over
  running.delete(group)
  results[i] = { name, ok: again.ok, seconds: seconds + again.seconds, cpu: cpu + again.cpu }
  if (!again.ok) continue
  late.push(...failed.map((test) => ({ ...test })))
  for (const test of failed) test.failure = undefined
}

const slowest = tableOf(slowestOf(tests, SLOWEST))
console.log(`\nThe ${SLOWEST} slowest:\n\n${slowest}`)
const minutes = (seconds) => (seconds / 60).toFixed(1)
console.log('| group | minutes | CPU seconds | |\n|---|---|---|---|')
for (const { name, ok, seconds, cpu } of results)
  console.log(
    `| ${name} | ${minutes(seconds)} | ${cpu.toFixed(0)} | ${ok ? 'passed' : color(31, 'FAILED')} |`,
  )
const cpu = results.reduce((sum, result) => sum + result.cpu, 0)
console.log(`| all | ${minutes((Date.now() - began) / 1000)} | ${cpu.toFixed(0)} | |`)

if (options.record) {
  const file = 'test/README.md'
  const [head, rest] = readFileSync(file, 'utf8').split('<!-- slowest -->\n')
  const [, tail] = rest.split('<!-- /slowest -->')
  const day = new Date().toISOString().slice(0, 10)
  const note = `${day}, ${availableParallelism()} cores, the groups side by side:\n\n`
  writeFileSync(file, `${head}<!-- slowest -->\n${note}${slowest}<!-- /slowest -->${tail}`)
}
if (late.length > 0) console.log(`\nRan out of time beside others, and passed alone:\n\n${failuresOf(late)}`)
const failed = results.filter(({ ok }) => !ok).map(({ name }) => name)
if (failed.length > 0) {
  console.log(`\n${failuresOf(tests)}`)
  // Last, where it is seen if only the end of a log is.
  if (unforeseen.length > 0)
    console.log(
      `Requests that servers failed, ${unforeseen.length} in all:\n${unforeseen.slice(-MOST_UNFORESEEN).join('\n')}\n`,
    )
  console.log(color(31, `FAILED: ${failed.join(', ')}`))
}
process.exit(failed.length > 0 ? 1 : 0)
