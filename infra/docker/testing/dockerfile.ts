/**
 * Carries out a Dockerfile's steps in plain folders, one for each stage. Base images are this machine's, so what only
 * they have is left out: users, and packages of the system.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface Step {
  name: string
  rest: string
}

/** The steps of a Dockerfile, each on one line. */
export function steps(text: string): Step[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line) && line.trim() !== '')
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  return lines.map((line) => {
    const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
    return { name: name.toUpperCase(), rest }
  })
}

export interface Built {
  /** the folder in the place of the image's root */
  root: string
  entrypoint: string[]
  command: string[]
  workdir: string
  environment: Record<string, string>
}

interface Stage extends Built {
  args: Record<string, string>
}

/**
 * Carries out all stages.
 * @param context the files that `COPY . ` takes, as paths below `folder`
 * @returns the last stage
 * @throws with what a step said when it fails
 */
export function build(dockerfile: string, folder: string, context: readonly string[], into: string): Built {
  const stages: Stage[] = []
  const names = new Map<string, Stage>()
  for (const { name, rest } of steps(readFileSync(dockerfile, 'utf8'))) {
    if (name === 'FROM') {
      const stage = newStage(join(into, String(stages.length)))
      stages.push(stage)
      const alias = / AS (\S+)$/i.exec(rest)?.[1]
      if (alias) names.set(alias, stage)
      continue
    }
    const stage = stages.at(-1)
    if (stage) step(stage, name, rest, { folder, context, names })
  }
  return stages.at(-1)!
}

function newStage(root: string): Stage {
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
  return { root, entrypoint: [], command: [], workdir: '/', environment: {}, args: {} }
}

interface Sources {
  folder: string
  context: readonly string[]
  names: ReadonlyMap<string, Stage>
}

function step(stage: Stage, name: string, rest: string, sources: Sources): void {
  if (name === 'WORKDIR') {
    stage.workdir = rest
    mkdirSync(join(stage.root, rest), { recursive: true })
  } else if (name === 'ARG') stage.args = { ...stage.args, ...pairs(rest) }
  else if (name === 'ENV') stage.environment = { ...stage.environment, ...pairs(rest) }
  else if (name === 'ENTRYPOINT') stage.entrypoint = JSON.parse(rest) as string[]
  else if (name === 'CMD') stage.command = JSON.parse(rest) as string[]
  else if (name === 'COPY') copy(stage, rest, sources)
  // Packages of the system are the base image's matter.
  else if (name === 'RUN' && !rest.includes('apt-get')) run(stage, rest)
  else if (!['RUN', 'USER', 'EXPOSE'].includes(name)) throw new Error(`no such step here: ${name}`)
}

const pairs = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S*)/g)].map(([, key, value]) => [key!, value!]))

function copy(stage: Stage, rest: string, { folder, context, names }: Sources): void {
  const words = rest.split(/\s+/)
  const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1]
  if (from) words.shift()
  const target = words.pop() ?? ''
  const to = join(stage.root, target.startsWith('/') ? target : join(stage.workdir, target))
  for (const word of words) {
    if (word === '.') {
      for (const file of context) put(join(folder, file), join(to, file))
    } else {
      const source = join(from ? (names.get(from)?.root ?? '') : folder, word)
      const isFile = statSync(source).isFile()
      put(source, isFile && target.endsWith('/') ? join(to, basename(source)) : to)
    }
  }
}

function put(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  cpSync(source, target, { recursive: true, verbatimSymlinks: true })
}

/** Absolute paths of the image become those of its folder. */
function run(stage: Stage, command: string): void {
  const here = command.replaceAll(/(?<=\s)\/(app|usr|src)\//g, `${stage.root}/$1/`)
  const { PATH, HOME, npm_config_cache, npm_config_registry } = process.env
  const cache = {
    ...(npm_config_cache && { npm_config_cache }),
    ...(npm_config_registry && { npm_config_registry }),
  }
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-ec', here], {
    cwd: join(stage.root, stage.workdir),
    env: { PATH, HOME, ...cache, ...stage.args, ...stage.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: 200_000,
  })
  if (status !== 0) throw new Error(`RUN ${command}\n${stdout.slice(-4000)}\n${stderr.slice(-2000)}`)
}
