/**
 * Runs a client program as its own process with a time limit and reads its report, the line that begins with
 * `RESULT `. The programs lie in `test/clients`; their environments send nothing outside this machine.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { finished } from './command.js'
import type { Endpoint } from './endpoint.js'
import { clients, isolated, pythonOf } from './isolated.js'
import { signal } from './processes.js'
import { root } from './root.js'
import { sharedForks } from './shared-server.js'

/** Runs `test/clients/python/<name>.py`. @param place where its packages are: `.venv/training` for the training client */
export async function runPython<T>(
  server: Endpoint,
  name: string,
  env: Record<string, string>,
  seconds = 120,
  place = '.venv',
): Promise<T> {
  const forks = await sharedForks(place)
  return inNewHome(async (home) => {
    const program = join(clients, 'python', `${name}.py`)
    const said = await forked(forks, program, { ...environment(server, home), ...env }, seconds)
    const code = Number(said.trimEnd().split('\n').at(-1))
    const errors = join(home, 'stderr')
    return reported<T>(program, code, said, existsSync(errors) ? readFileSync(errors, 'utf8') : '')
  })
}

/** Runs `test/clients/js/<name>.mjs`. */
export function runNode<T>(
  server: Endpoint,
  name: string,
  env: Record<string, string>,
  seconds = 120,
): Promise<T> {
  const guard = join(clients, 'js/guard.mjs')
  return run<T>(
    server,
    process.execPath,
    ['--import', guard, join(clients, 'js', `${name}.mjs`)],
    env,
    seconds,
  )
}

/**
 * Runs a program that is given as text, where its packages are. @returns what it wrote
 * @param place of Python, an environment; of JavaScript, a folder with npm's packages, or its name in `test/clients`; of a
 * shell, such a folder, whose commands it has; of Go, a module whose packages are there, too; of Java, a folder with `lib`
 */
export function runText(
  server: Endpoint,
  language: 'python' | 'js' | 'sh' | 'go' | 'java',
  text: string,
  env: Record<string, string>,
  seconds = 120,
  place = language === 'python' ? '.venv' : 'js',
): Promise<string> {
  return inNewHome(async (home) => {
    const at = join(root, place)
    const file = join(home, `program.${{ go: 'go', java: 'java' }[language as string] ?? 'py'}`)
    writeFileSync(file, text)
    const [command, args] = {
      python: [pythonOf(place), [file]] as const,
      js: [
        process.execPath,
        ['--import', join(clients, 'js/guard.mjs'), '--input-type=module', '-e', text],
      ] as const,
      sh: ['bash', ['-e', file]] as const,
      go: ['go', ['run', file]] as const,
      java: ['java', ['-cp', join(at, 'lib/*'), file]] as const,
    }[language]
    const all = { ...environment(server, home), ...env }
    if (language === 'sh') all.PATH = `${at}/node_modules/.bin:${all.PATH}`
    if (language === 'go') Object.assign(all, { GOPATH: `${at}/path`, GOCACHE: `${at}/cache` })
    const folder = {
      python: join(clients, 'js'),
      js: place.includes('/') ? at : join(clients, place),
      sh: home,
      go: at,
      java: home,
    }[language]
    const { code, stdout, stderr } = await finished(command, [...args], all, seconds, folder)
    if (code !== 0) throw new Error(`it ended with ${code}\n${stdout.slice(-4_000)}\n${stderr.slice(-8_000)}`)
    return stdout
  })
}

/**
 * Runs lines as somebody pastes them, who has set nothing but `env`: those for a terminal, and then a program.
 * @param place an environment of Python
 */
export function runPasted(
  terminal: string,
  program: string | undefined,
  env: Record<string, string>,
  place = '.venv',
): Promise<void> {
  return inNewHome(async (home) => {
    const file = join(home, 'first.py')
    if (program !== undefined) writeFileSync(file, program)
    const script = program === undefined ? terminal : `${terminal}\npython ${file}`
    const all = { ...isolated(home), ...env, PATH: `${join(root, place, 'bin')}:${process.env.PATH}` }
    const { code, stdout, stderr } = await finished('bash', ['-ec', script], all, 120, home)
    if (code !== 0) throw new Error(`it ended with ${code}\n${stdout.slice(-4_000)}\n${stderr.slice(-8_000)}`)
  })
}

async function run<T>(
  server: Endpoint,
  command: string,
  args: string[],
  extra: Record<string, string>,
  seconds: number,
): Promise<T> {
  return inNewHome(async (home) => {
    const { code, stdout, stderr } = await finished(
      command,
      args,
      { ...environment(server, home), ...extra },
      seconds,
    )
    return reported<T>(args.at(-1)!, code, stdout, stderr)
  })
}

/** What a program that ended well reported. */
function reported<T>(program: string, code: number | null, stdout: string, stderr: string): T {
  const line = stdout.split('\n').find((text) => text.startsWith('RESULT '))
  if (code !== 0 || line === undefined)
    throw new Error(`${program} ended with ${code}\n${stdout.slice(-4_000)}\n${stderr.slice(-8_000)}`)
  return JSON.parse(line.slice('RESULT '.length)) as T
}

/**
 * Runs a Python program to its end, or to the end of its time. @param forks the socket of a `Forks`
 * @returns the id of its process group, what it wrote to standard output, and its exit code
 */
async function forked(
  forks: string,
  program: string,
  env: NodeJS.ProcessEnv,
  seconds: number,
): Promise<string> {
  const socket = connect(forks)
  socket.write(`${JSON.stringify({ program, env })}\n`)
  let group = 0
  socket.once('data', (first) => {
    group = Number.parseInt(String(first), 10)
  })
  let late = ''
  const limit = setTimeout(() => {
    late = `\nwaited ${seconds} s for its end\n-1`
    if (group > 0) signal(-group, 'SIGKILL')
    socket.end()
  }, seconds * 1000)
  const said = await textOf(socket)
  clearTimeout(limit)
  return said + late
}

async function inNewHome<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'heddle-client-'))
  try {
    return await work(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** What a user sets to point each client here, and what keeps it from calling anywhere else. */
function environment(server: Endpoint, home: string): NodeJS.ProcessEnv {
  return {
    ...isolated(home),
    WANDB_BASE_URL: server.url,
    WF_TRACE_SERVER_URL: server.url,
    WANDB_API_KEY: server.key,
    WEAVE_USE_SERVER_CACHE: 'false',
    WEAVE_PRINT_CALL_LINK: 'false',
    WEAVE_ENABLE_DISK_FALLBACK: 'false',
    WEAVE_IMPLICITLY_PATCH_INTEGRATIONS: 'false',
    // In seconds. By default Langfuse's SDKs wait five, which is soon over on a machine that is busy with other tests.
    LANGFUSE_TIMEOUT: '60',
  }
}
