// Builds, runs, and does both again whenever a source changes: `node scripts/dev.mjs BUILD RUN FOLDER...`, the commands as
// one argument each. While a build fails, the old program keeps running. Tests and their helpers are not watched.
// `--beside COMMAND` starts that once the program has started, and leaves it running.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { watch } from 'chokidar'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' } },
})
const [build, run, ...folders] = positionals
if (run === undefined || folders.length === 0) {
  console.error('usage: node scripts/dev.mjs [--beside COMMAND] BUILD RUN FOLDER...')
  process.exit(2)
}

/** An editor writes several files at once, or one in several steps. */
const SETTLED_MS = 100
/** Tests, and what Vite writes into its packages' folder while it runs. */
const NOT_WATCHED = /\.test\.ts$|\/(testing|__snapshots__|node_modules)(\/|$)/

let child
let beside
let changed = true
let wake = () => undefined
let stopping = false

const say = (text) => console.log(`dev: ${text}`)
const start = (command) =>
  spawn('bash', ['-c', `exec ${command}`], { stdio: ['ignore', 'inherit', 'inherit'] })

async function built() {
  const running = spawn('bash', ['-c', build], { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = await once(running, 'close')
  return code === 0
}

async function ended(running) {
  if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
  running.kill('SIGTERM')
  await once(running, 'close')
}

const watcher = watch(folders, { ignored: NOT_WATCHED, ignoreInitial: true }).on('all', () => {
  changed = true
  wake()
})
await once(watcher, 'ready')
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    stopping = true
    wake()
  })

while (!stopping) {
  if (!changed) await new Promise((resolve) => (wake = resolve))
  if (stopping) break
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
  changed = false
  if (!(await built())) {
    say('the build failed; waiting for a change')
    continue
  }
  if (changed || stopping) continue
  await ended(child)
  const current = start(run)
  child = current
  say('started')
  if (options.beside !== undefined) beside ??= start(options.beside)
  current.once('close', (code) => {
    if (child === current && !stopping && !changed) say(`ended with ${code}; waiting for a change`)
  })
}
await Promise.all([watcher.close(), ended(child), ended(beside)])
process.exit(0)
