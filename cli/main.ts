#!/usr/bin/env node
/** `heddle`: checks that this machine can run it, then runs the command. */
import { existsSync } from 'node:fs'
import { runtimeProblem } from './serve/runtime.js'

const problem = runtimeProblem()
if (problem !== undefined) {
  process.stderr.write(`heddle: ${problem}\n`)
  process.exit(1)
}
// Imported later, since it loads the native HTTP server, whose message about a wrong C library is unhelpful.
const bundle = new URL('../bundle/program.js', import.meta.url)
const { run } = existsSync(bundle)
  ? ((await import(bundle.href)) as typeof import('./program.js'))
  : await import('./program.js')
await run(process.argv)
