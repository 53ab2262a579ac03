/** Runs programs to their end. Knows nothing of Heddle but where its command line lies. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { root } from './root.js'

/** The built command line. A rehearsal of a release names another one. */
export const main = process.env.HEDDLE_TEST_MAIN ?? join(root, 'dist/cli/main.js')

export interface Ended {
  status: number
  out: string
  err: string
}

interface How {
  /** beside this process's own */
  env: NodeJS.ProcessEnv
  /** where it runs; default: the checkout */
  cwd?: string
  /** what is on its standard input */
  input?: string
}

/** The longest time for a program: the slowest make all tables of two shards, on a busy machine. */
const MOST_SECONDS = 300
const MOST_BYTES = 64 << 20

/** Runs `program`. @throws Error that says what ran out of time */
export function run(
  program: string,
  args: readonly string[],
  { env, cwd = root, input }: How,
): Promise<Ended> {
  const options = {
    env: { ...process.env, ...env },
    cwd,
    timeout: MOST_SECONDS * 1000,
    maxBuffer: MOST_BYTES,
  }
  return new Promise((done, fail) => {
    const child = execFile(program, args, options, (error, out, err) => {
      // As `until` says it: what ran out of time beside others runs once more alone.
      if (error?.killed) fail(new Error(`waited ${MOST_SECONDS} s for ${args.join(' ')}\n${err}`))
      else done({ status: error ? Number(error.code ?? -1) : 0, out, err })
    })
    if (input !== undefined) child.stdin?.end(input)
  })
}

/** Runs `heddle <arguments>`; its standard output. @throws Error with all that it wrote, and `stdout`, if it fails */
export async function heddle(args: readonly string[], how: How): Promise<string> {
  const { status, out, err } = await run(process.execPath, [main, ...args], how)
  if (status !== 0)
    throw Object.assign(new Error(`heddle ${args.join(' ')} ended with ${status}\n${out}${err}`), {
      stdout: out,
    })
  return out
}
