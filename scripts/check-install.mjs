// Checks what an installation takes on the disk, of what is installed here: the packages of npm that users get (without
// tools, but with the compiler), those of the pages, and those of the model server where there is no GPU. What isn't
// installed is left out. The npm package is measured where it is made: test/e2e/readme.test.ts.
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The most MB that each may take, as `du -m` counts them. */
const MOST = { node_modules: 700, 'web/node_modules': 200, 'model-server/.venv': 1700 }

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const makefile = readFileSync('Makefile', 'utf8')
const { packages } = read('package-lock.json')

/** As the Makefile leaves them: builds of the HTTP server for this machine, no packages for another runtime, no maps. */
const builds = [...new Set(['115', '137', process.versions.modules])].join('|')
const BUILD = new RegExp(`/uws_${process.platform}_${process.arch}_(${builds})\\.node$`)
const isKept = (path) =>
  !/node_modules\/bare-|\.map$/.test(path) && (!/\/uws_[^/]*\.node$/.test(path) || BUILD.test(path))

/** Bytes on the disk below a folder; of a package, without the packages in it. */
function bytesIn(folder, inPackages = true) {
  let sum = 0
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name)
    if ((name === 'node_modules' && !inPackages) || !isKept(path)) continue
    const stat = lstatSync(path)
    sum += stat.isDirectory() ? bytesIn(path, inPackages) : stat.blocks * 512
  }
  return sum
}

/** The folder of what a package asks for, as Node.js looks for it. */
function folderOf(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return undefined
    if (!at.includes('/node_modules/')) at = ''
  }
}

/** The packages of the lock file that users install. */
function usersPackages() {
  const found = new Set()
  const add = (path) => {
    if (path === undefined || found.has(path)) return
    if (path !== '') found.add(path)
    const { dependencies, optionalDependencies } = packages[path]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) add(folderOf(name, path))
  }
  add('')
  for (const name of /^COMPILER := (.*)$/m.exec(makefile)[1].split(' ')) add(`node_modules/${name}`)
  return [...found]
}

/** What the lists name, by what their packages say they installed. */
function pythonBytes() {
  const names = ['requirements.txt', 'requirements-cpu.txt'].flatMap((file) =>
    [...readFileSync(`model-server/${file}`, 'utf8').matchAll(/^([\w.-]+)==/gm)].map(([, name]) =>
      plain(name),
    ),
  )
  const lib = readdirSync('model-server/.venv/lib').find((name) => name.startsWith('python'))
  const site = `model-server/.venv/lib/${lib}/site-packages`
  let sum = 0
  for (const folder of readdirSync(site)) {
    const [, name] = /^(.+?)-[^-]*\.dist-info$/.exec(folder) ?? []
    if (name === undefined || !names.includes(plain(name))) continue
    for (const line of readFileSync(join(site, folder, 'RECORD'), 'utf8')
      .trim()
      .split(/\r?\n/)) {
      const path = join(site, line.replace(/^"(.*)",.*$|,.*$/, '$1'))
      if (existsSync(path)) sum += statSync(path).blocks * 512
    }
  }
  return sum
}
const plain = (name) => name.toLowerCase().replaceAll(/[._]/g, '-')

const measured = {
  node_modules: usersPackages().reduce((sum, path) => sum + bytesIn(path, false), 0),
  'web/node_modules': bytesIn('web/node_modules'),
  ...(existsSync('model-server/.venv/.installed') && { 'model-server/.venv': pythonBytes() }),
}
for (const [folder, bytes] of Object.entries(measured)) {
  const megabytes = Math.round(bytes / 2 ** 20)
  console.log(`${folder}: ${megabytes} MB of ${MOST[folder]}`)
  if (megabytes <= MOST[folder]) continue
  process.exitCode = 1
  console.error(
    `${folder} has outgrown its ${MOST[folder]} MB: see what grew, or raise the number in scripts/check-install.mjs`,
  )
}
