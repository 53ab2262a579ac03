/** Runs programs, our command line among them, to their end. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './root.js'

/** The built command line; HEDDLE_TEST_MAIN names another build of it. */
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

/** Runs `program`. @throws Error that says what ran out of time */
export async function run(
  program: string,
  args: readonly string[],
  { env, cwd = root, input }: How,
): Promise<Ended> {
  const all = { ...process.env, ...env }
  const { code, stdout, stderr, late } = await finished(program, args, all, MOST_SECONDS, cwd, input)
  if (late) throw new Error(`${late}: ${args.join(' ')}\n${stderr}`)
  return { status: code ?? -1, out: stdout, err: stderr }
}

/**
 * Runs a command to its end, or to the end of its time.
 * @param env all of its environment
 * @returns `code` is null if a signal ended it; `late`, which `stderr` ends with, says that its time did
 */
export function finished(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  seconds: number,
  cwd?: string,
  input?: string,
): Promise<{ code: number | null; stdout: string; stderr: string; late?: string }> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      env,
      cwd,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
    })
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
    })
    child.stdin?.end(input)
    // As `until` says it: what ran out of time beside others runs once more alone.
    let late: string | undefined
    const limit = setTimeout(() => {
      late = `waited ${seconds} s for its end`
      child.kill('SIGKILL')
    }, seconds * 1000)
    child.once('error', fail)
    child.once('close', (code) => {
      clearTimeout(limit)
      done(late ? { code, stdout, stderr: `${stderr}\n${late}`, late } : { code, stdout, stderr })
    })
  })
}

/** Runs `heddle <arguments>`; its standard output. @throws Error with all that it wrote, `status` and `stdout`, if it fails */
export async function heddle(args: readonly string[], how: How): Promise<string> {
  const { status, out, err } = await run(process.execPath, [main, ...args], how)
  if (status !== 0)
    throw Object.assign(new Error(`heddle ${args.join(' ')} ended with ${status}\n${out}${err}`), {
      ...{ status, stdout: out },
    })
  return out
}
