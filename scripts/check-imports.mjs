// Checks that imports point one way: proto ← platform ← contract ← domain ← services ← cli, types included. Services never
// import each other, the engine's room knows nothing of Heddle, and bench and test use public interfaces only. Also: no
// cycles between files, no package at run time that is installed for development alone, and nothing that a client's
// command or a worker loads without needing it.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

const SERVICES = [
  'ingest',
  'query',
  'resources',
  'mcp',
  'training-api',
  'inference-worker',
  'trainer-worker',
  'evaluation-worker',
]

/** What each room may import besides itself. Tests of a room may start any other. */
const MAY = {
  proto: [],
  platform: ['proto'],
  contract: ['proto', 'platform'],
  domain: ['proto', 'platform', 'contract'],
  ...Object.fromEntries(SERVICES.map((service) => [service, ['proto', 'platform', 'contract', 'domain']])),
  'clickhouse-embedded': ['platform'],
  web: [],
  cli: ['proto', 'platform', 'contract', 'domain', 'web', 'clickhouse-embedded', ...SERVICES],
  bench: ['proto', 'test'],
  test: ['proto', 'bench'],
}
/** Processes that load little: packages and services that each may load. Whole services cost a second and 60 MB. */
const LOADS = {
  'cli/http-client.ts': { packages: [] },
  'cli/serve/inference-worker.ts': { services: ['inference-worker'] },
  'cli/serve/trainer-worker.ts': { services: ['trainer-worker'] },
  'cli/serve/evaluation-worker.ts': { services: ['evaluation-worker'] },
}
const isForTests = (file) => /\.test\.ts$|\/testing\//.test(file)
/** Tests of several services in one process. */
const isIntegration = (file) => file.startsWith('test/integration/')
const roomOf = (file) => file.slice(0, file.indexOf('/'))

/** The folder has its own packages; of other rooms it imports pure files without packages. */
const APPLICATION = ['web/src', 'web/flows', 'web/vite.config.ts', 'web/node_modules']

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (APPLICATION.includes(path)) continue
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* sources(path)
    else if (/\.m?[tj]s$/.test(entry.name)) yield path
  }
}

/** The files of this repository that `file` imports (`isLazy`: only when needed; `isType`: never), and packages. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8')
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const found = module.staticImports.map(({ moduleRequest, entries }) => ({
    from: moduleRequest.value,
    isLazy: false,
    isType: entries.length > 0 && entries.every(({ isType }) => isType),
  }))
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) {
      if (moduleRequest) found.push({ from: moduleRequest.value, isLazy: false, isType: false })
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^['"](.+)['"]$/.exec(text.slice(moduleRequest.start, moduleRequest.end))
    if (literal) found.push({ from: literal[1], isLazy: true, isType: false })
  }
  const ours = found.filter(({ from }) => from.startsWith('.'))
  return {
    ours: ours.map(({ from, ...kind }) => ({
      to: join(dirname(file), from).replace(/\.js$/, '.ts'),
      ...kind,
    })),
    packages: found
      .filter(({ from }) => !/^(\.|node:)/.test(from))
      .map(({ from, ...kind }) => ({ name: packageOf(from), ...kind })),
  }
}

const packageOf = (from) =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')

/** What is loaded with `file` before it runs, as paths of files from it on. */
function loadedWith(file) {
  const paths = new Map([[file, [file]]])
  for (const [from, path] of paths)
    for (const { to, isLazy, isType } of all.get(from)?.ours ?? [])
      if (!isLazy && !isType && !paths.has(to)) paths.set(to, [...path, to])
  return paths
}

/** The first cycle from `file` on, as a path of files. Lazy imports don't count. */
function cycleFrom(file, graph, path, done) {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
  if (done.has(file)) return undefined
  for (const { to, isLazy } of graph.get(file) ?? []) {
    const cycle = isLazy ? undefined : cycleFrom(to, graph, [...path, file], done)
    if (cycle) return cycle
  }
  done.add(file)
  return undefined
}

const { include: built } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8'))
const rooms = [...built, 'test']
const files = rooms.flatMap((room) => [...sources(room)])
const all = new Map(files.map((file) => [file, importsOf(file)]))
const graph = new Map(files.map((file) => [file, all.get(file).ours]))
const problems = rooms.filter((room) => !(room in MAY)).map((room) => `${room} needs a line in MAY`)
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const isShipped = (file) => !isForTests(file) && !['bench', 'test'].includes(roomOf(file))
for (const file of files.filter(isShipped))
  for (const { name } of all.get(file).packages)
    if (!dependencies[name]) problems.push(`${file} imports ${name}, which is not in the dependencies`)
for (const [file, imports] of graph) {
  const room = roomOf(file)
  for (const { to } of imports) {
    const target = roomOf(to)
    const isOpen = isForTests(file) && (room !== 'test' || isIntegration(file))
    const allowed = isOpen ? Object.keys(MAY) : [room, ...MAY[room]]
    if (target in MAY && !allowed.includes(target))
      problems.push(`${file} imports ${to}: ${room} may not know ${target}`)
    if (!isForTests(file) && isForTests(to)) problems.push(`${file} imports ${to}, which is for tests alone`)
  }
}
for (const [entry, { packages, services = SERVICES }] of Object.entries(LOADS)) {
  const isNeedless = (file) => {
    const loads = all.get(file)?.packages.filter(({ isLazy, isType }) => !isLazy && !isType) ?? []
    const room = roomOf(file)
    if (SERVICES.includes(room) && !services.includes(room)) return true
    return packages !== undefined && loads.some(({ name }) => !packages.includes(name))
  }
  const needless = [...loadedWith(entry)].find(([file]) => isNeedless(file))
  if (needless) problems.push(`${entry} loads what it does not need: ${needless[1].join(' → ')}`)
}
const done = new Set()
for (const file of files) {
  const cycle = cycleFrom(file, graph, [], done)
  if (cycle) problems.push(`a cycle: ${cycle.join(' → ')}`)
}
for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${[...graph.values()].flat().length} imports`)
process.exit(problems.length > 0 ? 1 : 0)
