#!/usr/bin/env node
/** `heddle`: checks that this machine can run it, then hands over to the command. */
import { runtimeProblem } from './serve/runtime.js'

const problem = runtimeProblem()
if (problem !== undefined) {
  process.stderr.write(`heddle: ${problem}\n`)
  process.exit(1)
}
// Not a static import: it loads the native HTTP server, whose own message about a wrong C library helps nobody.
const { run } = await import('./program.js')
await run(process.argv)
